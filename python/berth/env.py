"""Environments for learning agents over berth (docs/environment.md).

    env = SchedulingEnv(trace="KTH.swf.gz", jobs=64, window=256)
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(0)

With Gymnasium they are a gymnasium.Env, registered as berth/Scheduling-v0, and a
gymnasium.vector.VectorEnv; they are complete without it, and without numpy, where
arrays are memoryviews.
"""

import ctypes
import operator
import weakref

from . import _library as c
from ._run import changes_of, read

try:
    import numpy
except ImportError:  # complete without
    numpy = None
try:
    import gymnasium
except ImportError:  # likewise
    gymnasium = None

JOB_FEATURES = tuple(each["name"] for each in c.RECORDS["features"]
                     if each["of"] == "job")
MACHINE_FEATURES = tuple(each["name"] for each in c.RECORDS["features"]
                         if each["of"] == "machine")


def mix(seed):
    """The seed that follows this one (SplitMix64)."""
    most = (1 << 64) - 1
    x = (seed + 0x9E3779B97F4A7C15) & most
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & most
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & most
    return x ^ (x >> 31)


def _whole(value, name, least, most):
    """The value, a whole number that is no truth value."""
    if isinstance(value, bool) or type(value).__name__ == "bool_":  # of numpy
        raise c.UsageError(f"{name}: {value} is no number")
    try:
        number = operator.index(value)
    except TypeError:
        raise c.UsageError(f"{name}: {value!r} is no whole number") from None
    if not least <= number <= most:
        raise c.UsageError(f"{name}: {number} is not from {least} to {most}")
    return number


def _names(value):
    return value if isinstance(value, str) else ",".join(value)


class _Array:
    """Rows of one type, in memory that the library writes."""

    def __init__(self, kind, rows, width):
        self.items = (kind * (rows * width))()
        self.rows, self.width = rows, width
        self.bytes = ctypes.sizeof(kind) * width
        if numpy is not None:
            flat = numpy.ctypeslib.as_array(self.items)
            self.all = flat.reshape(rows, width)
        else:
            self.code = {ctypes.c_float: "f", ctypes.c_uint8: "B", ctypes.c_int64: "q",
                         ctypes.c_double: "d"}[kind]

    def address(self, row):
        return ctypes.addressof(self.items) + row * self.bytes

    def view(self, row, begin, *shape):
        """Part of a row, in this shape, as it is at any time."""
        count = 1
        for each in shape:
            count *= each
        if numpy is not None:
            return self.all[row, begin:begin + count].reshape(shape)
        size = self.bytes // self.width if self.width else 1
        first = row * self.bytes + begin * size
        part = memoryview(self.items).cast("B")[first:first + count * size]
        return part.cast(self.code, shape) if count else part.cast(self.code)


def _copied(array):
    if numpy is not None:
        return array.copy()
    if not len(array):
        return array
    return memoryview(array.tobytes()).cast(array.format, array.shape)


class _Agents:
    """Some runs of one scenario, each an environment: what both classes are made of."""

    def __init__(self, count, scenario, *, trace=None, processors=None, set=None,  # noqa: A002
                 jobs=128, features=JOB_FEATURES, machine=("idle", "queue"), window=256,
                 first=(0, 0), stride=1, in_turn=False, warm=0, warm_policy="fcfs",
                 choose="fitting", backfill="none", reward="mean_bounded_slowdown",
                 credit="each", step_limit=0):
        large = (1 << 63) - 1
        self.jobs = _whole(jobs, "jobs", 1, 65536)
        names = _names(features), _names(machine)
        self.features, self.machine = (
            tuple(each.split(",")) if each else () for each in names)
        first_from, first_to = first
        self.windows = {"window": _whole(window, "window", 1, large),
                        "first_from": _whole(first_from, "first", 0, large),
                        "first_to": _whole(first_to, "first", 0, large),
                        "stride": _whole(stride, "stride", 1, large),
                        "warm": _whole(warm, "warm", 0, large),
                        "warm_policy": warm_policy.encode(), "in_turn": bool(in_turn)}
        self._texts = {"features": names[0], "machine": names[1], "choose": choose,
                       "backfill": backfill, "reward": reward, "credit": credit}
        self._step_limit = _whole(step_limit, "step_limit", 0, large)
        self.reward = reward
        text, folder = read(scenario, changes_of(set, trace, processors, None))
        self._scenario, self.runs = c.Scenario(text, folder), []
        try:
            self._make(count)
        except BaseException:
            self.close()
            raise

    def _make(self, count):
        shown = len(self.features) * self.jobs
        self.seen = _Array(ctypes.c_float, count, shown + len(self.machine))
        self.mask = _Array(ctypes.c_uint8, count, self.jobs + 1)
        self.ids = _Array(ctypes.c_int64, count, self.jobs)
        self.outcome = _Array(ctypes.c_double, count, 2)
        self.ended = _Array(ctypes.c_uint8, count, 2)
        for row in range(count):
            run = c.Run(self._scenario, audit=False, windows=self.windows)
            self.runs.append(run)
            env = c.Env(struct_bytes=ctypes.sizeof(c.Env), jobs=self.jobs,
                        step_limit=self._step_limit,
                        **{name: text.encode() for name, text in self._texts.items()})
            for name in ("seen", "mask", "ids", "outcome", "ended"):
                setattr(env, name, getattr(self, name).address(row))
            run.check(c.short.berth_bind(run.handle, ctypes.byref(env)))
        self.handles = (ctypes.c_void_p * count)(*[run.handle for run in self.runs])

    def views(self, row):
        """Of one environment: observation and information, as they are at any time."""
        width = len(self.features)
        observation = {"jobs": self.seen.view(row, 0, self.jobs, width),
                       "machine": self.seen.view(row, self.jobs * width,
                                                 len(self.machine))}
        return observation, self.mask.view(row, 0, self.jobs + 1), \
            self.ids.view(row, 0, self.jobs)

    def results(self, row):
        """How an episode stands: schedule_hash, metrics, and how many jobs of the window
        have ended without the metric of the reward."""
        summary = self.runs[row].summary()
        metrics = {name: of["value"] for name, of in summary["metrics"].items()}
        values = self.runs[row].column(self.reward[len("mean_"):])
        return {"schedule_hash": summary["schedule_hash"], "metrics": metrics,
                "undefined": sum(1 for value in values if value != value)}

    def evaluate(self, policy, seed):
        run = c.Run(self._scenario, policy=policy, audit=False, windows=self.windows)
        try:
            run.check(c.long.berth_reset(run.handle, seed))
            run.advance(float("inf"))
            return {name: of["value"]
                    for name, of in run.summary()["metrics"].items()}
        finally:
            run.close()

    def require_open(self):
        if not self.runs:
            raise c.UsageError("the environment is closed")

    def close(self):
        for run in self.runs:
            run.close()
        self.runs = []
        if self._scenario.handle:
            self._scenario.close()


def _seed_of(seed):
    return _whole(seed, "seed", 0, (1 << 64) - 1)


if gymnasium is not None:
    class _Actions(gymnasium.spaces.Discrete):
        """Actions of an environment; a sample is one that is allowed now."""

        def __init__(self, env, count):
            super().__init__(count)
            self._env = weakref.ref(env)

        def sample(self, mask=None, **options):
            env = self._env()
            if mask is None and not options and env is not None:
                allowed = env.action_masks()
                mask = allowed.view(numpy.int8) if allowed.any() else None
            return super().sample(mask, **options)

        def __deepcopy__(self, memo):
            made = gymnasium.spaces.Discrete(int(self.n))
            return made

    def _space(*shape):
        return gymnasium.spaces.Box(0.0, 1.0, shape, numpy.float32)


class SchedulingEnv(gymnasium.Env if gymnasium is not None else object):
    """One environment.  Action k starts the k-th job shown; `jobs` waits.

    An observation is {"jobs": float32[K, F], "machine": float32[M]}; `info` has
    action_mask, ids and now, at the end schedule_hash, metrics and undefined.
    """

    metadata = {"render_modes": []}
    render_mode = None

    def __init__(self, scenario=None, *, copy=True, **options):
        self._agents = _Agents(1, scenario, **options)
        self._copies, self._seed = copy, 0
        agents = self._agents
        self.num_jobs = agents.jobs
        self._run = agents.runs[0]
        self._handle = self._run.handle
        self._step = c.short.berth_step
        observation, mask, ids = agents.views(0)
        self._arrays = observation["jobs"], observation["machine"], mask, ids
        self._outcome = memoryview(agents.outcome.items).cast("B").cast("d")
        self._ended = agents.ended.items
        if gymnasium is not None:
            self.observation_space = gymnasium.spaces.Dict({
                "jobs": _space(agents.jobs, len(agents.features)),
                "machine": _space(len(agents.machine))})
            self.action_space = _Actions(self, agents.jobs + 1)

    def _shown(self):
        jobs, machine, mask, ids = self._arrays
        if self._copies:
            jobs, machine = _copied(jobs), _copied(machine)
            mask, ids = _copied(mask), _copied(ids)
        return ({"jobs": jobs, "machine": machine},
                {"action_mask": mask, "ids": ids, "now": self._outcome[1]})

    def reset(self, *, seed=None, options=None):
        """Begins the episode of this seed, or of the seed that follows the last."""
        self._agents.require_open()
        wanted = mix(self._seed) if seed is None else _seed_of(seed)
        if gymnasium is not None:
            super().reset(seed=seed)
        shown = self._run.check(c.short.berth_reset(self._handle, wanted))
        self._seed = wanted
        if shown == 0:
            raise c.UsageError("nothing can be decided in this episode: the machine "
                               "rejects all its jobs")
        return self._shown()

    def step(self, action):
        if type(action) is not int or not 0 <= action <= self.num_jobs:
            action = _whole(action, "action", 0, self.num_jobs)
        code = self._step(self._handle, action)
        if code < 0:
            self._agents.require_open()  # without a handle nothing steps
            self._run.check(code)
        observation, info = self._shown()
        if code > 0:
            return observation, self._outcome[0], False, False, info
        info.update(self._agents.results(0))
        return (observation, self._outcome[0], self._ended[0] != 0, self._ended[1] != 0,
                info)

    def action_masks(self):
        """What is allowed now: 1 for each job that may start, then for waiting."""
        return _copied(self._arrays[2])

    def evaluate(self, policy, seed=None):
        """The metrics of a built-in policy, or a file, on the episode of this seed; left
        out: on the present one."""
        self._agents.require_open()
        return self._agents.evaluate(policy,
                                     self._seed if seed is None else _seed_of(seed))

    def close(self):
        self._handle = None
        self._agents.close()

    def __del__(self):
        if "_agents" in self.__dict__:
            self._agents.close()


class SchedulingVectorEnv(gymnasium.vector.VectorEnv if gymnasium is not None else object):
    """Several environments that step in one call, with the seeds s, s + 1, ...

    Observations are as those of one environment, with the environments first.  One whose
    episode is over begins a new one at the next step, whatever its action then is.
    """

    metadata = {"render_modes": []}
    render_mode = None

    def __init__(self, num_envs, scenario=None, *, copy=True, **options):
        self.num_envs = _whole(num_envs, "num_envs", 1, 1 << 16)
        self._agents = _Agents(self.num_envs, scenario, **options)
        self._copies, self._seed = copy, 0
        agents = self._agents
        self.num_jobs = agents.jobs
        self._actions = (ctypes.c_int32 * self.num_envs)()
        self._failed = ctypes.c_int32()
        self._is_reset = False
        if numpy is not None:
            self._given = numpy.ctypeslib.as_array(self._actions)
            count, width = self.num_envs, len(agents.features)
            shown = agents.jobs * width
            self._observation = {
                "jobs": agents.seen.all[:, :shown].reshape(count, agents.jobs, width),
                "machine": agents.seen.all[:, shown:]}
        if gymnasium is not None:
            self._describe(gymnasium)

    def _describe(self, gym):
        agents = self._agents
        self.single_observation_space = gym.spaces.Dict({
            "jobs": _space(agents.jobs, len(agents.features)),
            "machine": _space(len(agents.machine))})
        self.single_action_space = gym.spaces.Discrete(agents.jobs + 1)
        self.observation_space = gym.vector.utils.batch_space(
            self.single_observation_space, self.num_envs)
        self.action_space = gym.vector.utils.batch_space(
            self.single_action_space, self.num_envs)
        modes = getattr(gym.vector, "AutoresetMode", None)
        if modes is not None:
            self.metadata = {**self.metadata, "autoreset_mode": modes.NEXT_STEP}

    def _columns(self):
        agents = self._agents
        if numpy is not None:
            seen = self._observation
            mask, ids = agents.mask.all, agents.ids.all
            now = agents.outcome.all[:, 1].copy()
        else:
            rows = [agents.views(row) for row in range(self.num_envs)]
            seen = {name: [row[0][name] for row in rows] for name in ("jobs", "machine")}
            mask, ids = [row[1] for row in rows], [row[2] for row in rows]
            now = agents.outcome.items[1::2]
        if self._copies:
            seen = {name: self._copied(of) for name, of in seen.items()}
            mask, ids = self._copied(mask), self._copied(ids)
        return dict(seen), {"action_mask": mask, "ids": ids, "now": now}

    @staticmethod
    def _copied(columns):
        if numpy is not None:
            return columns.copy()
        return [_copied(each) for each in columns]

    def reset(self, *, seed=None, options=None):
        """Begins the episodes of the seeds seed, seed + 1, ..., or of a list of seeds."""
        self._agents.require_open()
        if seed is None:
            seed = mix(self._seed)
        if isinstance(seed, (list, tuple)):
            seeds = [_seed_of(each) for each in seed]
            if len(seeds) != self.num_envs:
                raise c.UsageError(f"{len(seeds)} seeds for {self.num_envs} environments")
        else:
            first = _seed_of(seed)
            seeds = [(first + i) % (1 << 64) for i in range(self.num_envs)]
        if gymnasium is not None:
            super().reset(seed=seeds[0] % (1 << 32))
        for run, each in zip(self._agents.runs, seeds):
            run.check(c.short.berth_reset(run.handle, each))
        self._seed, self._is_reset = seeds[0], True
        return self._columns()

    def step(self, actions):
        self._agents.require_open()
        if not self._is_reset:
            raise c.UsageError("no episode has begun: reset() begins them")
        self._take(actions)
        code = c.short.berth_step_many(self._agents.handles, self.num_envs,
                                       self._actions, c.AUTO_RESET,
                                       ctypes.byref(self._failed))
        if code < 0:
            self._agents.runs[self._failed.value].check(code)
        observation, info = self._columns()
        outcome, ended = self._agents.outcome, self._agents.ended
        if numpy is not None:
            over = ended.all.astype(bool)
            return (observation, outcome.all[:, 0].copy(), over[:, 0], over[:, 1], info)
        return (observation, outcome.items[0::2], [e != 0 for e in ended.items[0::2]],
                [e != 0 for e in ended.items[1::2]], info)

    def _take(self, actions):
        if numpy is not None and isinstance(actions, numpy.ndarray):
            right = actions.shape == (self.num_envs,) and actions.dtype.kind in "iu"
            if not right or actions.min() < 0 or actions.max() > self.num_jobs:
                raise c.UsageError(f"actions: {self.num_envs} whole numbers from 0 to "
                                   f"{self.num_jobs} expected")
            self._given[:] = actions
            return
        actions = list(actions)
        if len(actions) != self.num_envs:
            raise c.UsageError(f"{len(actions)} actions for {self.num_envs} environments")
        self._actions[:] = [_whole(each, "action", 0, self.num_jobs) for each in actions]

    def action_masks(self):
        return self._columns()[1]["action_mask"]

    def results(self, index):
        """schedule_hash, metrics and undefined of one environment, as it stands; of an
        episode that is over until the next step."""
        self._agents.require_open()
        return self._agents.results(_whole(index, "index", 0, self.num_envs - 1))

    def close(self, **_):
        self._agents.close()

    def __del__(self):
        if "_agents" in self.__dict__:
            self._agents.close()


if gymnasium is not None and "berth/Scheduling-v0" not in gymnasium.registry:
    gymnasium.register("berth/Scheduling-v0", entry_point="berth.env:SchedulingEnv")
