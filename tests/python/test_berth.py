"""The Python package against its twins in Lua.  BERTH_LIBRARY names libberth.so."""

import ast
import contextlib
import importlib.util
import io
import os
import re
import sys
import tempfile
import textwrap
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path.insert(0, os.path.join(ROOT, "python"))

import berth  # noqa: E402: the path is set above
from berth import _library, _policy, _run  # noqa: E402

SMALL = {
    "seed": 4,
    "machine": {"processors": 16},
    "workload": {"model": "lublin", "jobs": 150, "load": 0.9},
}


class Fcfs(berth.Policy):
    passes = "when_a_job_fits"

    def schedule(self, queue, cluster):
        for job in queue.startable():
            assert cluster.start(job)


class Easy(berth.Policy):
    passes, promises = "when_a_job_fits", "easy"

    def schedule(self, queue, cluster):
        head = cluster.start_all(queue)
        if head is not None:
            cluster.start_all(queue.backfillable(cluster.reserve(head)))


class Sjf(berth.Policy):
    orders = {"short": "job.walltime"}

    def schedule(self, queue, cluster):
        cluster.start_all(queue.by("short"))


class Hooks(berth.Policy):
    """Starts jobs in order; counts what its hooks are told."""

    def __init__(self):
        self.came, self.went = [], []

    def on_submit(self, job, cluster):
        self.came.append((cluster.now(), job.id, job.submit))

    def on_end(self, job, cluster):
        self.went.append(job.id)

    def schedule(self, queue, cluster):
        for job in queue.startable():
            cluster.start(job)


def lua(text):
    """The path of a policy in Lua."""
    file = tempfile.NamedTemporaryFile("w", suffix=".lua", delete=False)
    with file:
        file.write(textwrap.dedent(text))
    return file.name


def in_python(example):
    """An expression of Lua in Python; None: it is more than a plain expression."""
    if re.search(r"\b(pcall|type|select|function)\b", example):
        return None
    text = example.replace("cluster:book()", "cluster.book")
    for lua_word, word in ((":", "."), ("~=", "!=")):
        text = text.replace(lua_word, word)
    for lua_word, word in (("nil", "None"), ("true", "True"), ("false", "False")):
        text = re.sub(rf"\b{lua_word}\b", word, text)
    text = text.replace("job.class", "job.class_")
    text = re.sub(r"\{ ([-.\d, ]+) \}", r"[\1]", text)  # lists of numbers
    try:
        return compile(text, "example", "eval")
    except SyntaxError:
        return None


class Twins(unittest.TestCase):
    def same(self, a, b):
        self.assertEqual(a.schedule_hash, b.schedule_hash)
        of_a, of_b = a.jobs(), b.jobs()
        for name in ("id", "start", "end"):
            self.assertEqual(list(of_a[name]), list(of_b[name]))

    def test_classes_make_the_schedules_of_their_twins(self):
        found = berth.run(SMALL, policies=["fcfs", "easy", Fcfs, Easy()])
        self.same(found["fcfs"], found["Fcfs"])
        self.same(found["easy"], found["Easy"])
        self.assertNotEqual(found["easy"].schedule_hash, found["fcfs"].schedule_hash)
        self.assertEqual(len(found["easy"].jobs()["id"]), 150)
        self.assertEqual(found["Easy"].summary["policy_language"], "python")
        self.assertIn("R1", found["Easy"].summary["audit"]["rules"])
        self.assertAlmostEqual(
            found["easy"].metrics["mean_wait"],
            sum(found["easy"].jobs()["wait"]) / 150, places=6)

    def test_orders_are_expressions_that_the_engine_keeps(self):
        twin = lua("""
            return { orders = { short = function(job) return job.walltime end },
                     schedule = function(queue, cluster)
                       cluster:start_all(queue:by("short"))
                     end }
        """)
        self.addCleanup(os.unlink, twin)
        found = berth.run(SMALL, policies=[Sjf, twin])
        self.same(*found.results)

    def test_hooks_are_told_each_job_once_and_in_time(self):
        policy = Hooks()
        found = berth.run(SMALL, policies=["fcfs", policy])
        self.same(*found.results)
        self.assertEqual(len(policy.came), 150)
        self.assertTrue(all(now == submit for now, _, submit in policy.came))
        # Those that leave at the last instant have no pass behind them.
        self.assertGreaterEqual(len(policy.went), 149)
        self.assertEqual(len(set(policy.went)), len(policy.went))

    def test_kth_under_easy(self):
        folder = os.environ.get("BERTH_TRACES") or os.path.join(
            os.environ.get("BERTH_DATA", os.path.join(ROOT, "..", "shared", "data")),
            "traces")
        trace = os.path.join(folder, "KTH-SP2-1996-2.1-cln.swf.gz")
        if not os.path.exists(trace):
            self.skipTest(f"no {trace}")
        found = berth.run(trace=trace, policies=[Easy])
        self.assertEqual(found["Easy"].schedule_hash, "29f51f37374d5bdf")


class Values(unittest.TestCase):
    """What primitives take and give, on an idle machine of four processors."""

    JOBS = "1 0 -1 10 2 -1 -1 2 60 -1 1 7 -1 -1 -1 -1 -1 -1\n" \
           "2 0 -1 10 4 -1 -1 4 60 -1 1 -1 -1 -1 -1 -1 -1 -1\n"

    def within(self, act, **traits):
        """What act(queue, cluster) gives in the first pass."""
        with tempfile.TemporaryDirectory() as folder:
            trace = os.path.join(folder, "t.swf")
            with open(trace, "w") as file:
                file.write(self.JOBS)
            seen = []

            class Once(berth.Policy):
                def schedule(self, queue, cluster):
                    if not seen:
                        seen.append(act(queue, cluster))
                    cluster.start_all(queue)

            for name, value in traits.items():
                setattr(Once, name, value)
            berth.run(trace=trace, processors=4, policies=[Once])
            return seen[0]

    def test_nil_refusals_and_fields(self):
        def act(queue, cluster):
            first = queue.head()
            self.assertEqual((first.size, first.user, first.group), (2, 7, None))
            self.assertEqual(first.class_, None)
            self.assertEqual(first.state, "waiting")
            self.assertIs(cluster.start(first), True)
            refused = cluster.start(queue.head())
            self.assertFalse(refused)
            self.assertEqual(refused, berth.Refused("busy"))
            plan = cluster.reserve(queue.head())
            self.assertEqual((plan.start, plan.job.id), (60.0, 2))
            self.assertEqual(queue.why_not(queue.head())[:3], ("busy", 4, 2))
            return [job.id for job in cluster.running()]

        self.assertEqual(self.within(act), [1])

    def test_columns_of_the_queue_come_in_one_call(self):
        table = self.within(lambda queue, _: queue.table("size", "walltime", limit=1))
        self.assertEqual(table, {"size": [2.0], "walltime": [60.0]})

    def test_a_misspelt_member_names_its_neighbour(self):
        def act(queue, cluster):
            with self.assertRaisesRegex(AttributeError, "did you mean 'start_all'"):
                cluster.start_al(queue)
            with self.assertRaisesRegex(AttributeError, "did you mean 'walltime'"):
                queue.head().waltime
            with self.assertRaisesRegex(berth.PolicyError, "a job expected, got number"):
                cluster.start(3)
            with self.assertRaisesRegex(berth.PolicyError, "a object|cannot be"):
                cluster.start(object())
            return True

        self.assertTrue(self.within(act))

    def test_every_plain_example_of_the_records_holds(self):
        tried = 0
        for member in _library.RECORDS["primitives"]:
            if member["reach"] not in ("job", "queue", "cluster", "plan", "book"):
                continue
            python = in_python(member["example"])
            if python is None:
                continue

            def act(queue, cluster, expression=python):
                of = {"queue": queue, "cluster": cluster, "job": queue.head()}
                return eval(expression, {}, of)  # our own text

            with self.subTest(member["example"]):
                self.assertIs(self.within(act, orders={"widest": "-job.size"}), True)
            tried += 1
        self.assertGreater(tried, 50)


class Errors(unittest.TestCase):
    def fails(self, kind, *arguments, **options):
        with self.assertRaises(kind) as caught:
            berth.run(*arguments, **options)
        return caught.exception

    def test_each_kind_has_code_file_and_line(self):
        error = self.fails(berth.InputError, "[machine]\nprocesors = 4\n",
                           policies=["easy"])
        self.assertEqual((error.code, error.file, error.line), (3, "scenario.toml", 2))
        self.assertIn("processors", str(error))
        self.assertEqual(self.fails(berth.UsageError, SMALL, policies=["eassy"]).code, 2)
        self.assertIsInstance(self.fails(berth.UsageError, SMALL, policies=[3]),
                              ValueError)
        self.assertEqual(
            self.fails(berth.UsageError, {**SMALL, "sweep": {"seed": [1, 2]}},
                       policies=["easy"]).code, 2)
        broken = lua("""
            return { schedule = function(queue, cluster)
                       cluster:strat(queue:head())
                     end }
        """)
        self.addCleanup(os.unlink, broken)
        error = self.fails(berth.PolicyError, SMALL, policies=[broken])
        self.assertEqual((error.code, error.file, error.line),
                         (4, os.path.basename(broken), 3))
        endless = lua("return { schedule = function() while true do end end }")
        self.addCleanup(os.unlink, endless)
        self.assertEqual(self.fails(berth.LimitError, SMALL, policies=[endless]).code, 5)

    def test_a_broken_promise_is_found_by_the_audit(self):
        class Liar(berth.Policy):
            promises = "easy"

            def schedule(self, queue, cluster):
                for job in queue.fitting():
                    cluster.start(job)

        error = self.fails(berth.AuditError, SMALL, policies=[Liar])
        self.assertEqual(error.code, 1)
        self.assertIn("R1", str(error))
        berth.run(SMALL, policies=[Liar], audit=False)

    def test_what_schedule_raises_passes_unchanged(self):
        class Own(Exception):
            pass

        for kind in (Own, KeyboardInterrupt):
            class Raises(berth.Policy):
                error = kind

                def schedule(self, queue, cluster):
                    raise self.error("mine")

            self.assertEqual(str(self.fails(kind, SMALL, policies=[Raises])), "mine")

        class Yields(berth.Policy):
            def schedule(self, queue, cluster):
                yield queue

        self.assertIn("generator",
                      str(self.fails(berth.PolicyError, SMALL, policies=[Yields])))

    def test_an_object_of_another_run_or_pass_is_refused(self):
        kept = []

        class Keeps(berth.Policy):
            def schedule(self, queue, cluster):
                if queue.head() is not None and len(kept) < 2:
                    kept.append(queue.head())
                    kept.append(queue.by("submit"))
                cluster.start_all(queue)

        class Uses(berth.Policy):
            def schedule(self, queue, cluster):
                cluster.start(kept[0])

        berth.run(SMALL, policies=[Keeps])
        self.assertIn("another run",
                      str(self.fails(berth.PolicyError, SMALL, policies=[Uses])))


class Sweeps(unittest.TestCase):
    def test_a_sweep_gives_a_summary_for_each_run(self):
        told = []
        scenario = {**SMALL, "run": {"policies": ["fcfs", "easy"]},
                    "sweep": {"seed": [1, 2, 3]}}
        rows = berth.sweep(scenario, threads=1,
                           progress=lambda done, of: told.append((done, of)))
        self.assertEqual(len(rows), 6)
        self.assertEqual({row["policy"] for row in rows}, {"fcfs", "easy"})
        self.assertEqual(told[-1], (3, 3))

        def stop(done, of):
            raise RuntimeError("enough")

        with self.assertRaisesRegex(RuntimeError, "enough"):
            berth.sweep(scenario, threads=1, progress=stop)

    def test_scenarios_are_files_texts_and_dicts(self):
        text = "seed = 4\n[machine]\nprocessors = 16\n[workload]\nmodel = \"lublin\"\n" \
               "jobs = 150\nload = 0.9\n"
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "s.toml")
            with open(path, "w") as file:
                file.write(text)
            hashes = {berth.run(each, policies=["easy"])["easy"].schedule_hash
                      for each in (text, path, SMALL)}
        self.assertEqual(len(hashes), 1)
        other = berth.run(SMALL, policies="easy", set={"workload.load": 0.5})
        self.assertNotIn(other["easy"].schedule_hash, hashes)
        self.assertIn("mean_wait", other.table())


class Columns(unittest.TestCase):
    def test_numpy_has_the_columns_where_it_is_installed(self):
        jobs = berth.run(SMALL, policies=["fcfs"])["fcfs"].jobs()
        if _run.numpy is None:
            self.assertIs(type(jobs["wait"]), list)
            self.skipTest("numpy is not installed: columns are lists")
        self.assertEqual((jobs["wait"].dtype, jobs["wait"].shape), ("float64", (150,)))
        self.assertTrue((jobs["end"] >= jobs["start"]).all())

    def test_pandas_has_the_metrics_where_it_is_installed(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        found = berth.run(SMALL, policies=["fcfs", "easy"])
        frame = found.frame()
        self.assertIsInstance(frame, pandas.DataFrame)
        self.assertEqual(list(frame.columns), ["fcfs", "easy"])
        self.assertEqual(frame.loc["mean_wait", "easy"],
                         found["easy"].metrics["mean_wait"])


class Stubs(unittest.TestCase):
    def test_the_stubs_are_those_of_the_records(self):
        path = os.path.join(ROOT, "python", "make_stubs.py")
        spec = importlib.util.spec_from_file_location("make_stubs", path)
        made = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(made)
        with open(os.path.join(ROOT, "python", "berth", "_policy.pyi")) as file:
            self.assertEqual(file.read(), made.stubs(),
                             "write them anew: python3 python/make_stubs.py")
        tree = ast.parse(made.stubs())
        classes = {each.name: {of.name for of in each.body if hasattr(of, "name")}
                   for each in tree.body if isinstance(each, ast.ClassDef)}
        for name, kind in _policy.TYPES.items():
            members = {each for each in vars(kind) if not each.startswith("_")}
            if name == "Cluster":
                members |= set(_policy.PARTS)
            self.assertEqual(classes[name], members, name)

    def test_every_primitive_is_a_member(self):
        for member in _library.RECORDS["primitives"]:
            if member["reach"] == "run":
                continue
            kind = _policy.TYPES[member["type"]]
            name = member["name"]
            self.assertTrue(hasattr(kind, name) or hasattr(kind, name + "_"), name)


class Page(unittest.TestCase):
    def test_the_programs_of_the_page_run(self):
        with open(os.path.join(ROOT, "docs", "python.md")) as file:
            blocks = re.findall(r"^```python\n(.*?)^```$", file.read(), re.M | re.S)
        self.assertEqual(len(blocks), 2)
        for block in blocks:
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, "docs/python.md", "exec"), {})  # our own


if __name__ == "__main__":
    unittest.main()
