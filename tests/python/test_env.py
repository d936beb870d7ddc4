"""Environments (berth.env) against a model of their own.  BERTH_LIBRARY names libberth.so.

Complete without numpy and without Gymnasium; what needs them is skipped with a message.
"""

import contextlib
import hashlib
import importlib.util
import io
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "python"))

import berth  # noqa: E402: the path is set above
from berth import env as envs  # noqa: E402

PROCESSORS = 16
SMALL = {
    "seed": 4,
    "machine": {"processors": PROCESSORS},
    "workload": {"model": "lublin", "jobs": 150, "load": 0.9},
}
EXAMPLE = ((1, 0, 10, 3, 20), (2, 0, 8, 4, 3600), (3, 1, 5, 1, 5), (4, 2, 30, 1, 3600))


def swf(jobs):
    """Lines of (id, submit, length, size, walltime, user)."""
    return "".join(f"{i} {submit} -1 {length} {size} -1 -1 {size} {walltime} -1 1 {user} "
                   "-1 -1 -1 -1 -1 -1\n" for i, submit, length, size, walltime, user in jobs)


def random_jobs(seed, count):
    """Jobs of 1 s to some minutes that end before their walltimes."""
    draw = random.Random(seed)
    jobs, submit = [], 0
    for i in range(1, count + 1):
        submit += draw.choice((0, 0, 1, 7, 40))
        length = draw.choice((1, 5, 30, 90, 300))
        size = draw.choice((1, 1, 2, 4, 9, PROCESSORS))
        jobs.append((i, submit, length, size, length * draw.randint(1, 4),
                     draw.randint(1, 3)))
    return jobs


class Model:
    """The same environment, written down from its definition: no line of the engine."""

    def __init__(self, jobs, shown, choose, backfill):
        self.jobs, self.shown, self.choose = jobs, shown, choose
        self.backfill = backfill
        self.now, self.come, self.head, self.sum = 0, 0, None, 0.0
        self.queue, self.running, self.gone, self.starts = [], [], [], {}
        self.is_open = False

    def idle(self):
        return PROCESSORS - sum(job[3] for _, _, job in self.running)

    def start(self, job):
        self.queue.remove(job)
        self.starts[job[0]] = self.now
        self.running.append((self.now + job[2], self.now + job[4], job))

    def shadow(self, job):
        """When the job could start by the walltimes, and what is spare then."""
        free = self.idle()
        ends = sorted({planned for _, planned, _ in self.running})
        for at in [self.now] + ends:
            now_free = free + sum(of[3] for _, planned, of in self.running
                                  if planned <= at)
            if job[3] <= now_free:
                return at, now_free - job[3]
        raise AssertionError("wider than the machine")

    def is_beside(self, job, plan):
        at, spare = plan
        return job[3] <= self.idle() and (self.now + job[4] <= at or job[3] <= spare)

    def next_event(self):
        """Goes on to the next instant; False: there is none."""
        times = [end for end, _, _ in self.running]
        times += [job[1] for job in self.jobs[self.come:self.come + 1]]
        if not times:
            return False
        self.now = min(times)
        for entry in [e for e in self.running if e[0] == self.now]:
            self.running.remove(entry)
            job = entry[2]
            response = self.now - job[1]
            self.sum += max(1.0, response / max(job[2], 10))
            self.gone.append(job)
        while self.come < len(self.jobs) and self.jobs[self.come][1] == self.now:
            self.queue.append(self.jobs[self.come])
            self.come += 1
        return True

    def serve_head(self):
        """Whether there is something to be decided."""
        if self.head is None:
            return True
        if self.head[3] <= self.idle():
            self.start(self.head)
            self.head = None
            return True
        if self.backfill == "easy":
            at, spare = self.shadow(self.head)
            for job in list(self.queue):
                if job is self.head or not self.is_beside(job, (at, spare)):
                    continue
                if self.now + job[4] > at:
                    spare -= job[3]
                self.start(job)
        return False

    def mask(self):
        shown = self.queue[:self.shown]
        allowed = [0] * (self.shown + 1)
        plan = self.shadow(shown[0]) if shown and self.choose == "safe" else None
        for k, job in enumerate(shown):
            fits = job[3] <= self.idle()
            allowed[k] = int({"fitting": fits, "any": True,
                              "safe": fits and (k == 0 or plan is None
                                                or self.is_beside(job, plan))}[self.choose])
        comes = bool(self.running) or self.come < len(self.jobs)
        if self.choose != "any" and any(allowed) and comes:
            allowed[-1] = 1
        return allowed

    def next_decision(self):
        """The mask of the next decision; None: it is over."""
        while True:
            if self.is_open and self.serve_head():
                mask = self.mask()
                if any(mask):
                    return mask
            self.is_open = self.next_event()
            if not self.is_open:
                return None

    def take(self, action):
        if action == self.shown:
            self.is_open = False
        elif self.queue[action][3] <= self.idle():
            self.start(self.queue[action])
        else:
            self.head = self.queue[action]

    def row(self, job):
        def q(x, h):
            return x / (x + h)

        idle, wait = self.idle(), float(self.now - job[1])
        fits = job[3] <= idle
        held = sum(of[3] for _, _, of in self.running if of[5] == job[5])
        values = (job[3] / PROCESSORS, q(float(job[4]), 3600.0), q(wait, 3600.0),
                  float(fits), (idle - job[3]) / PROCESSORS if fits else 0.0,
                  q(wait / max(job[4], 10), 1.0),
                  q(float(job[3] * job[4]), 900.0 * PROCESSORS), held / PROCESSORS)
        return struct.unpack("8f", struct.pack("8f", *values))

    def of_machine(self):
        values = (self.idle() / PROCESSORS,
                  len(self.queue) / (len(self.queue) + self.shown),
                  len(self.running) / (len(self.running) + self.shown),
                  self.now % 86400 / 86400)
        return struct.unpack("4f", struct.pack("4f", *values))


class WithTrace(unittest.TestCase):
    def trace(self, jobs):
        file = tempfile.NamedTemporaryFile("w", suffix=".swf", delete=False)
        with file:
            file.write(swf(jobs))
        self.addCleanup(os.unlink, file.name)
        return file.name


class AgainstTheModel(WithTrace):
    EPISODES = 1000
    SHOWN = 5

    def play(self, choose, backfill):
        jobs = random_jobs(11, 240)
        window = 14
        env = envs.SchedulingEnv(
            trace=self.trace(jobs), processors=PROCESSORS, jobs=self.SHOWN,
            window=window, choose=choose, backfill=backfill, in_turn=True,
            features=envs.JOB_FEATURES, machine=envs.MACHINE_FEATURES)
        self.addCleanup(env.close)
        draw = random.Random(5)
        for seed in range(self.EPISODES):
            begin = seed % (len(jobs) - window + 1)
            model = Model(jobs[begin:begin + window], self.SHOWN, choose, backfill)
            self.episode(env, seed, model, draw)

    def episode(self, env, seed, model, draw):
        seen, info = env.reset(seed=seed)
        given, before, is_over = 0.0, 0.0, False
        while not is_over:
            mask = model.next_decision()
            self.same(model, mask, seen, info)
            action = draw.choice([k for k, allowed in enumerate(mask) if allowed])
            model.take(action)
            seen, reward, is_over, truncated, info = env.step(action)
            self.assertFalse(truncated)
            given += reward
            if not is_over:
                model.next_decision()
                self.assertAlmostEqual(reward, (before - model.sum) / len(model.jobs))
                before = model.sum
        self.assertIsNone(model.next_decision())
        self.assertAlmostEqual(given, -model.sum / len(model.jobs), delta=1e-9)
        self.assertAlmostEqual(given, -info["metrics"]["mean_bounded_slowdown"],
                               delta=1e-9)

    def same(self, model, mask, seen, info):
        self.assertEqual(info["now"], model.now)
        self.assertEqual(list(info["action_mask"]), mask)
        shown = model.queue[:self.SHOWN]
        ids = [job[0] for job in shown]
        self.assertEqual(list(info["ids"]), ids + [-1] * (self.SHOWN - len(ids)))
        rows = [tuple(row) for row in seen["jobs"].tolist()]
        blank = [(0.0,) * 8] * (self.SHOWN - len(shown))
        self.assertEqual(rows, [model.row(job) for job in shown] + blank)
        self.assertEqual(tuple(seen["machine"].tolist()), model.of_machine())

    def test_fitting(self):
        self.play("fitting", "none")

    def test_safe(self):
        self.play("safe", "none")

    def test_any(self):
        self.play("any", "none")

    def test_any_with_backfill(self):
        self.play("any", "easy")


def first_allowed(info):
    return list(info["action_mask"]).index(1)


def play_first(env, seed):
    """The sum of the rewards, and what is known at the end."""
    _, info = env.reset(seed=seed)
    total, is_over = 0.0, False
    while not is_over:
        _, reward, is_over, _, info = env.step(first_allowed(info))
        total += reward
    return total, info


class Known(WithTrace):
    def test_the_worked_example(self):
        jobs = [(*job, 1) for job in EXAMPLE]
        env = envs.SchedulingEnv(trace=self.trace(jobs), processors=4, jobs=3, window=4,
                                 choose="safe")
        self.addCleanup(env.close)
        seen, info = env.reset(seed=0)
        steps = [(info["now"], "".join(map(str, info["action_mask"])))]
        rewards = []
        while True:
            seen, reward, is_over, _, info = env.step(first_allowed(info))
            rewards.append(round(reward, 6))
            if is_over:
                break
            steps.append((info["now"], "".join(map(str, info["action_mask"]))))
            if info["now"] == 1:
                self.assertEqual([round(v, 6) for v in seen["jobs"].tolist()[1][:7]],
                                 [0.25, 0.001387, 0, 1, 0, 0, 0.001387])
        self.assertEqual(steps, [(0, "1001"), (1, "0101"), (10, "1000"), (18, "1000")])
        self.assertEqual(rewards, [0, -0.5, -0.45, -0.383333])
        self.assertEqual(info["schedule_hash"], "638f2251f956790d")

    def test_always_the_first_is_fcfs_and_with_backfilling_easy(self):
        whole = berth.run(SMALL, policies=["fcfs", "easy"])
        for backfill, twin in (("none", "fcfs"), ("easy", "easy")):
            env = envs.SchedulingEnv(SMALL, window=150, jobs=8, choose="any",
                                     backfill=backfill)
            self.addCleanup(env.close)
            total, info = play_first(env, 0)
            self.assertEqual(info["schedule_hash"], whole[twin].schedule_hash)
            mean = whole[twin].metrics["mean_bounded_slowdown"]
            self.assertAlmostEqual(total, -mean, delta=1e-9)

    def test_a_policy_is_judged_on_the_same_episode(self):
        env = envs.SchedulingEnv(SMALL, window=40, first=(30, 0), warm=20, choose="any",
                                 backfill="easy", reward="mean_wait")
        self.addCleanup(env.close)
        for seed in range(4):
            total, info = play_first(env, seed)
            self.assertEqual(env.evaluate("easy"), info["metrics"])
            self.assertEqual(env.evaluate("easy", seed), info["metrics"])
            self.assertAlmostEqual(total, -info["metrics"]["mean_wait"], delta=1e-9)
        self.assertNotEqual(env.evaluate("fcfs", 0), env.evaluate("fcfs", 2))

    def test_metrics_that_some_jobs_lack_are_counted(self):
        jobs = [(1, 0, 0, 1, 5, 1), (2, 0, 10, 16, 20, 1), (3, 1, 10, 16, 20, 1)]
        env = envs.SchedulingEnv(trace=self.trace(jobs), processors=PROCESSORS, window=3,
                                 jobs=4, choose="any", reward="mean_slowdown")
        self.addCleanup(env.close)
        total, info = play_first(env, 0)
        self.assertEqual(info["undefined"], 1)
        self.assertAlmostEqual(total, -(1 + 1.9) / 2, delta=1e-9)

    def test_an_episode_is_cut_at_the_limit_of_steps(self):
        env = envs.SchedulingEnv(SMALL, window=40, jobs=8, choose="any", step_limit=7)
        self.addCleanup(env.close)
        _, info = env.reset(seed=1)
        for step in range(1, 8):
            _, _, terminated, truncated, info = env.step(0)
            self.assertEqual((terminated, truncated), (False, step == 7))
        self.assertIn("metrics", info)
        with self.assertRaisesRegex(berth.UsageError, "over"):
            env.step(0)

    def test_kth(self):
        folder = os.environ.get("BERTH_TRACES") or os.path.join(
            os.environ.get("BERTH_DATA", os.path.join(ROOT, "..", "shared", "data")),
            "traces")
        trace = os.path.join(folder, "KTH-SP2-1996-2.1-cln.swf.gz")
        if not os.path.exists(trace):
            self.skipTest(f"no {trace}")
        env = envs.SchedulingEnv(trace=trace, window=28475, jobs=8, choose="any",
                                 backfill="easy", copy=False)
        self.addCleanup(env.close)
        _, info = env.reset(seed=0)
        is_over = False
        while not is_over:
            _, _, is_over, _, info = env.step(0)
        self.assertEqual(info["schedule_hash"], "29f51f37374d5bdf")


class Machines(unittest.TestCase):
    MACHINES = {
        "two tiers": {"processors": PROCESSORS, "sharing": "two_tier"},
        "a network": {"sharing": "slots",
                      "network": {"topology": "fat_tree", "k": 4, "slots": 2}},
        "hosts": {"hosts": {"small": {"count": 4, "processors": 4}}},
        "fractions": {"processors": PROCESSORS, "sharing": "fractional"},
    }

    def play(self, scenario, **options):
        env = envs.SchedulingEnv(scenario, window=60, jobs=8, **options)
        self.addCleanup(env.close)
        seen, info = env.reset(seed=1)
        while True:
            values = [value for row in seen["jobs"].tolist() for value in row]
            self.assertTrue(all(0 <= value <= 1 for value in values))
            seen, _, is_over, _, info = env.step(first_allowed(info))
            if is_over:
                return env, info["metrics"]

    def test_every_machine_is_one_for_agents(self):
        for name, machine in self.MACHINES.items():
            scenario = {**SMALL, "machine": machine}
            with self.subTest(name):
                env, metrics = self.play(scenario, choose="any")
                self.assertEqual(metrics, env.evaluate("fcfs", 1))
                self.play(scenario, choose="fitting")
                if name == "fractions":
                    for rule in ({"choose": "safe"}, {"choose": "any", "backfill": "easy"}):
                        with self.assertRaisesRegex(berth.UsageError, "no reservation"):
                            self.play(scenario, **rule)
                    continue
                env, metrics = self.play(scenario, choose="any", backfill="easy")
                self.assertEqual(metrics, env.evaluate("easy", 1))
                self.play(scenario, choose="safe")


def digest(seed):
    """All bytes of an episode of random actions."""
    env = envs.SchedulingEnv(SMALL, window=60, jobs=8)
    draw, sum_of = random.Random(seed), hashlib.sha256()
    seen, info = env.reset(seed=seed)
    is_over = False
    while not is_over:
        for array in (seen["jobs"], seen["machine"], info["action_mask"], info["ids"]):
            sum_of.update(array.tobytes())
        allowed = [k for k, each in enumerate(info["action_mask"]) if each]
        seen, reward, is_over, _, info = env.step(draw.choice(allowed))
        sum_of.update(struct.pack("2d", reward, info["now"]))
    env.close()
    return sum_of.hexdigest()


class Repeatable(unittest.TestCase):
    def test_a_seed_gives_the_same_bytes_in_any_process_beside_any_other(self):
        alone = digest(3)
        other = envs.SchedulingEnv(SMALL, window=30)
        self.addCleanup(other.close)
        other.reset(seed=9)
        self.assertEqual(digest(3), alone)
        self.assertNotEqual(digest(4), alone)
        code = f"import sys; sys.path[:0] = [{HERE!r}]; import test_env; " \
               "print(test_env.digest(3))"
        ran = subprocess.run([sys.executable, "-B", "-c", code], check=True,
                             capture_output=True, text=True)
        self.assertEqual(ran.stdout.strip(), alone)

    def test_without_a_seed_the_next_one_follows(self):
        env = envs.SchedulingEnv(SMALL, window=30, jobs=8)
        self.addCleanup(env.close)
        self.assertEqual(envs.mix(0), 0xE220A8397B1DCDAF)  # the published first output
        env.reset(seed=5)
        after = env.reset()[1]["ids"].tolist()
        self.assertEqual(env.reset(seed=envs.mix(5))[1]["ids"].tolist(), after)

    def test_copies_stay_and_views_do_not(self):
        for copy in (True, False):
            env = envs.SchedulingEnv(SMALL, window=30, jobs=8, choose="any", copy=copy)
            self.addCleanup(env.close)
            seen, info = env.reset(seed=2)
            kept = seen["jobs"].tobytes(), info["ids"].tobytes()
            for _ in range(12):
                env.step(0)
            now = seen["jobs"].tobytes(), info["ids"].tobytes()
            self.assertEqual(now == kept, copy)


class Several(unittest.TestCase):
    OPTIONS = {"window": 25, "jobs": 6, "choose": "any", "backfill": "easy"}

    def test_each_is_as_an_environment_alone(self):
        several = envs.SchedulingVectorEnv(3, SMALL, **self.OPTIONS)
        alone = [envs.SchedulingEnv(SMALL, **self.OPTIONS) for _ in range(3)]
        for each in [several, *alone]:
            self.addCleanup(each.close)
        seeds = [7, 8, 9]
        seen, info = several.reset(seed=7)
        shown = [env.reset(seed=seed) for env, seed in zip(alone, seeds)]
        over = [False] * 3
        for _ in range(120):
            for i in range(3):
                self.assertEqual(seen["jobs"][i].tolist(), shown[i][0]["jobs"].tolist())
                self.assertEqual(seen["machine"][i].tolist(),
                                 shown[i][0]["machine"].tolist())
                self.assertEqual(list(info["ids"][i]), list(shown[i][1]["ids"]))
                self.assertEqual(info["now"][i], shown[i][1]["now"])
            seen, rewards, ended, cut, info = several.step([0] * 3)
            for i, env in enumerate(alone):
                if over[i]:
                    seeds[i] = envs.mix(seeds[i])
                    shown[i], over[i] = env.reset(seed=seeds[i]), False
                    self.assertEqual((rewards[i], bool(ended[i])), (0, False))
                    continue
                obs, reward, over[i], _, inside = env.step(0)
                shown[i] = obs, inside
                self.assertEqual((rewards[i], bool(ended[i]), bool(cut[i])),
                                 (reward, over[i], False))
                if over[i]:
                    self.assertEqual(several.results(i)["schedule_hash"],
                                     inside["schedule_hash"])
        self.assertGreater(len(set(seeds)), 2)

    def test_wrong_actions_are_refused(self):
        several = envs.SchedulingVectorEnv(2, SMALL, **self.OPTIONS)
        self.addCleanup(several.close)
        with self.assertRaisesRegex(berth.UsageError, "no episode has begun"):
            several.step([0, 0])
        several.reset(seed=[3, 4])
        for actions in ([0], [0, 7], [0, True], [0, -1], [0, 0.5], [6, 0]):
            with self.assertRaises(berth.UsageError):
                several.step(actions)
        with self.assertRaises(berth.UsageError):
            several.reset(seed=[3])
        several.step((0, 0))


class BadInput(WithTrace):
    def refuses(self, what, **options):
        with self.assertRaisesRegex(berth.UsageError, what) as caught:
            envs.SchedulingEnv(SMALL, **{"window": 30, **options})
        self.assertEqual(caught.exception.code, 2)
        self.assertIsInstance(caught.exception, ValueError)

    def test_what_no_environment_has(self):
        self.refuses("did you mean 'walltime'", features=("size", "waltime"))
        self.refuses("feature of the machine 'size'", machine="size")
        self.refuses("choose: 'every'", choose="every")
        self.refuses("backfill", backfill="some")
        self.refuses("did you mean 'mean_wait'", reward="mean_wayt")
        self.refuses("no mean of a metric", reward="utilisation")
        self.refuses("credit", credit="never")
        for jobs in (0, 10**7, -1, True, 2.5):
            self.refuses("jobs", jobs=jobs)
        self.refuses("more than the 150", window=151)
        self.refuses("window", window=0)
        self.refuses("no range within 0 to 120", first=(121, 0))
        self.refuses("no range within 0 to 120", first=(0, 500))
        self.refuses("first_from to 10", warm=10)
        self.refuses("sjf", first=(20, 0), warm=10, warm_policy="sjf")
        with self.assertRaises(TypeError):
            envs.SchedulingEnv(SMALL, job=3)
        with self.assertRaises(berth.InputError):
            envs.SchedulingEnv(trace="nowhere.swf")

    def test_wrong_actions_change_nothing(self):
        env = envs.SchedulingEnv(SMALL, window=30, jobs=8)
        self.addCleanup(env.close)
        with self.assertRaisesRegex(berth.UsageError, "no episode has begun"):
            env.step(0)
        for seed in (-1, 1 << 64, True, "a"):
            with self.assertRaises(berth.UsageError):
                env.reset(seed=seed)
        env.reset(seed=1)
        masks = env.action_masks().tolist()
        masked = masks.index(0)
        for action in (masked, -1, 9, 10**30, True, None, 0.0, "0"):
            with self.assertRaises(berth.UsageError):
                env.step(action)
            self.assertEqual(env.action_masks().tolist(), masks)
        env.step(masks.index(1))

    def test_numbers_of_numpy_are_actions_and_its_truth_values_are_none(self):
        if envs.numpy is None:
            self.skipTest("numpy is not installed")
        env = envs.SchedulingEnv(SMALL, window=30, jobs=8, choose="any")
        self.addCleanup(env.close)
        env.reset(seed=1)
        env.step(envs.numpy.int64(0))
        with self.assertRaises(berth.UsageError):
            env.step(envs.numpy.bool_(False))

    def test_jobs_that_no_machine_holds_give_no_episode(self):
        wide = [(i, i, 10, 4 * PROCESSORS, 10, 1) for i in range(1, 6)]
        env = envs.SchedulingEnv(trace=self.trace(wide), processors=PROCESSORS, window=5)
        self.addCleanup(env.close)
        with self.assertRaisesRegex(berth.UsageError, "nothing can be decided"):
            env.reset(seed=0)

    def test_a_closed_environment_is_refused(self):
        env = envs.SchedulingEnv(SMALL, window=30)
        env.close()
        env.close()
        with self.assertRaisesRegex(berth.UsageError, "closed"):
            env.reset(seed=0)


class Pages(unittest.TestCase):
    def test_the_programs_of_the_page_run(self):
        with open(os.path.join(ROOT, "docs", "environment.md")) as file:
            page = file.read()
        blocks = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
        self.assertEqual(len(blocks), 2)
        for block in blocks:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, "docs/environment.md", "exec"), {})  # our own
        for name in (*envs.JOB_FEATURES, *envs.MACHINE_FEATURES):
            self.assertIn(f"| `{name}` |", page)

    def test_the_example_learns_and_compares(self):
        if envs.numpy is None:
            self.skipTest("numpy is not installed")
        path = os.path.join(ROOT, "python", "examples", "learn.py")
        with open(path) as file:
            self.assertLess(len(file.readlines()), 100)
        spec = importlib.util.spec_from_file_location("learn", path)
        learn = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(learn)
        # Less than in earnest, so that it also ends soon in a build for debugging.
        learn.WINDOW, learn.TURNS, learn.CANDIDATES, learn.SEEDS = 64, 2, 16, (1, 2)
        learn.MODEL["workload"]["jobs"] = 1500
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            learn.main([])
        lines = printed.getvalue().splitlines()
        self.assertEqual(lines[0], "mean bounded slowdown, 7 windows of 64 jobs")
        self.assertEqual([line.split()[0] for line in lines[2:-1]],
                         ["fcfs", "sjf", "easy", "learned", "learned"])
        self.assertIn("+0.0 [+0.0, +0.0]", lines[4])
        self.assertRegex(lines[-1], "better than EASY from [0-2] of 2 seeds")


class Gymnasium(WithTrace):
    def setUp(self):
        if envs.gymnasium is None:
            self.skipTest("Gymnasium is not installed")

    def test_check_env_finds_nothing(self):
        from gymnasium.utils.env_checker import check_env

        # All wait at 0, so that an action drawn before a reset is one after it.
        jobs = [(i, 0, 10 * i, 1, 100, 1) for i in range(1, 9)]
        env = envs.gymnasium.make("berth/Scheduling-v0", trace=self.trace(jobs),
                                  processors=1, jobs=2, window=8, choose="any")
        self.addCleanup(env.close)
        check_env(env.unwrapped, skip_render_check=True)

    def test_several_are_a_vector_environment(self):
        env = envs.SchedulingVectorEnv(2, SMALL, window=30, jobs=4)
        self.addCleanup(env.close)
        self.assertIsInstance(env, envs.gymnasium.vector.VectorEnv)
        seen, _ = env.reset(seed=1)
        self.assertIn(seen, env.observation_space)


if __name__ == "__main__":
    unittest.main()
