"""berth.run, berth.sweep and what they give."""

import os

from . import _library as c
from ._policy import Policy, play, traits_of

try:
    import numpy
except ImportError:  # complete without
    numpy = None


class Result:
    """One policy: metrics, the whole summary, and a row for each job that ended."""

    def __init__(self, label, summary, columns):
        self.label, self.summary, self._columns = label, summary, columns
        self.metrics = {name: of["value"] for name, of in summary["metrics"].items()}
        self.schedule_hash = summary["schedule_hash"]
        self.warnings = summary["warnings"]

    def jobs(self):
        """Columns by name: id, start, end and each metric of jobs; seconds."""
        if numpy is None:
            return {name: list(values) for name, values in self._columns.items()}
        return {name: numpy.frombuffer(values, dtype=numpy.float64).copy()
                if len(values) else numpy.zeros(0)
                for name, values in self._columns.items()}

    def __repr__(self):
        return f"<result of {self.label}: schedule {self.schedule_hash}>"


class Results:
    """Results by label: r["easy"]."""

    def __init__(self, results):
        self.results = results

    def __getitem__(self, label):
        for each in self.results:
            if each.label == label:
                return each
        known = ", ".join(each.label for each in self.results)
        raise KeyError(f"{label}: the policies are {known}")

    def __iter__(self):
        return iter(self.results)

    def __len__(self):
        return len(self.results)

    def table(self):
        """The metrics as text, a row each and a column for each policy."""
        rows = [[""] + [each.label for each in self.results]]
        for name in self.results[0].metrics if self.results else ():
            values = [each.metrics.get(name) for each in self.results]
            rows.append([name] + ["" if v is None else f"{v:.6g}" for v in values])
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        return "\n".join("  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                                   for i, (cell, width) in enumerate(zip(row, widths)))
                         for row in rows)

    def frame(self):
        """The metrics as a pandas DataFrame: a row each, a column for each policy."""
        import pandas

        return pandas.DataFrame({each.label: each.metrics for each in self.results},
                                dtype=float)


def _toml_value(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_toml_value(each) for each in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml_text(key)} = {_toml_value(of)}"
                               for key, of in value.items()) + "}"
    return _toml_text(os.fspath(value) if hasattr(value, "__fspath__") else str(value))


def _toml_text(text):
    made = ""
    for char in text:
        if char in '"\\':
            made += "\\" + char
        elif ord(char) < 32 or ord(char) == 127:
            made += f"\\u{ord(char):04X}"
        else:
            made += char
    return f'"{made}"'


def toml_of(scenario):
    """The text of a scenario that is given as a dict of tables."""
    return "".join(f"{_toml_text(key)} = {_toml_value(value)}\n"
                   for key, value in scenario.items())


def read(scenario, changes):
    """Text and folder; `changes` by key, over a scenario that is a dict or nothing."""
    if scenario is None or isinstance(scenario, dict):
        tables = {key: dict(of) if isinstance(of, dict) else of
                  for key, of in (scenario or {}).items()}
        for key, value in changes.items():
            place, names = tables, key.split(".")
            for name in names[:-1]:
                place = place.setdefault(name, {})
            place[names[-1]] = value
        return toml_of(tables), None
    given = os.fspath(scenario)
    is_file = given.endswith(".toml") and "\n" not in given
    if is_file:
        with open(given, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
    else:
        text = given
    if changes:
        try:
            import tomllib
        except ImportError:
            raise c.UsageError("changes to the text of a scenario need Python 3.11; "
                               "give it as a dict") from None
        try:
            tables = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            return text, os.path.dirname(given) if is_file else None  # told at its place
        text = read(tables, changes)[0]
    return text, os.path.dirname(given) if is_file else None


def changes_of(set, trace, processors, seed):  # noqa: A002: the name of the option
    changes = dict(set or {})
    for key, value in (("workload.trace", trace), ("machine.processors", processors),
                       ("seed", seed)):
        if value is not None:
            changes[key] = os.path.abspath(value) if key.endswith("trace") else value
    return changes


def _label(policy):
    return policy.name or type(policy).__name__


def _run_one(scenario, policy, audit):
    is_object = not isinstance(policy, (str, os.PathLike))
    if isinstance(policy, type):
        policy = policy()
    if is_object and not isinstance(policy, Policy):
        raise c.UsageError(f"{policy!r} is neither a name, a path nor a berth.Policy")
    if is_object:
        run = c.Run(scenario, traits=traits_of(policy), audit=audit)
    else:
        run = c.Run(scenario, policy=os.fspath(policy), audit=audit)
    try:
        if is_object:
            play(policy, run)
        else:
            run.advance(float("inf"))
        summary = run.summary()
        if is_object:
            summary["policy"] = _label(policy)
            summary["policy_language"] = "python"
        columns = {each["name"]: run.column(each["name"])
                   for each in c.RECORDS["columns"]}
        return Result(summary["policy"], summary, columns)
    finally:
        run.close()


def run(scenario=None, *, trace=None, processors=None, policies=None, set=None,  # noqa: A002
        seed=None, audit=True, progress=None):
    """Runs each policy on one scenario.

    scenario  a file that ends in .toml, the text of one, or a dict of its tables
    policies  names, files, "sjf:block=false", classes or objects of berth.Policy; left
              out: those of the scenario, if it is a dict or Python reads TOML
    set       keys of the scenario and their values: {"workload.load": 0.8}
    progress  called with the number of policies done, and of all
    """
    text, folder = read(scenario, changes_of(set, trace, processors, seed))
    if policies is None:
        raise c.UsageError("name the policies: policies=[\"easy\"]")
    if isinstance(policies, (str, type, Policy, os.PathLike)):
        policies = [policies]
    opened = c.Scenario(text, folder)
    try:
        results = []
        for policy in policies:
            results.append(_run_one(opened, policy, audit))
            if progress:
                progress(len(results), len(policies))
        return Results(results)
    finally:
        opened.close()


def sweep(scenario, *, out=None, threads=0, set=None, progress=None):  # noqa: A002
    """Runs every policy of the scenario at each of its points: the summaries."""
    text, folder = read(scenario, {})
    sets = [f"{key}={value}" for key, value in (set or {}).items()]
    return c.study(text, folder, sets, out, threads, progress)
