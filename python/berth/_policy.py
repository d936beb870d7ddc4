"""The policy API in Python, made from the records of the library.

A class for each kind of object: its methods call the primitives, its fields are
properties.  nil is None, a refusal is Refused(reason), which is false, and a selection is
an iterator.  An object belongs to one run; plans and selections to one pass.
"""

import difflib
import keyword
import re

from . import _library as c

_CAPACITY = 64


class Refused:
    """Not now: false, with the reason."""

    def __init__(self, reason):
        self.reason = reason

    def __bool__(self):
        return False

    def __eq__(self, other):
        return isinstance(other, Refused) and self.reason == other.reason

    def __hash__(self):
        return hash(self.reason)

    def __repr__(self):
        return f"Refused({self.reason!r})"


class Object:
    """Something of a run, by its handle; None: what is reached by its name."""

    _reach = ""

    def __init__(self, run, handle=None):
        self._run, self._handle = run, handle

    def __eq__(self, other):
        return (isinstance(other, Object) and self._run is other._run
                and type(self) is type(other) and self._handle == other._handle)

    def __hash__(self):
        return hash((id(self._run), self._handle))

    def __repr__(self):
        return self._reach if self._handle is None else f"<{self._reach} {self._handle}>"

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        known = [each for each in dir(self) if not each.startswith("_")]
        near = difflib.get_close_matches(name, known, 1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise AttributeError(f"{self._reach} has no member {name!r}{hint}")


class Selection:
    """Jobs, or other values, one after the other; it can be walked once."""

    def __init__(self, run, handle):
        self._run, self._handle = run, handle

    def __iter__(self):
        return self

    def __next__(self):
        results, library_run = self._run.results, self._run.library_run
        count = library_run.check(c.short.berth_walk(library_run.handle, self._handle,
                                                     results, _CAPACITY))
        if count == 0:
            raise StopIteration
        values = self._run.values(results, count, None)
        return values[0] if len(values) == 1 else tuple(values)


def _put(run, at, value):
    """Writes the value behind `at` others, as the library takes it; how many there are
    then."""
    if at == len(run.given):
        run.given = (c.Value * (2 * at))(*run.given)
    to = run.given[at]
    at += 1
    if value is None:
        to.type = c.NIL
    elif isinstance(value, (Object, Selection)):
        if value._run is not run:
            raise c.PolicyError("an object of another run was given")
        to.type = c.SELECTION if isinstance(value, Selection) else c.HANDLE
        if value._handle is not None:
            to.handle = value._handle
        elif value._reach == "queue":
            to.handle = c.THE_QUEUE
        else:
            raise c.PolicyError(f"{value._reach} cannot be an argument")
    elif isinstance(value, bool):
        to.type, to.integer = c.BOOLEAN, value
    elif isinstance(value, str):
        text = value.encode("utf-8", "surrogateescape")
        to.type, to.bytes, to.text = c.TEXT, len(text), text
        run.kept.append(text)
    elif isinstance(value, (dict, list, tuple)):
        pairs = value.items() if isinstance(value, dict) else enumerate(value, 1)
        to.type, to.integer = c.TABLE, len(value)
        for key, of in pairs:
            at = _put(run, _put(run, at, key), of)
    elif hasattr(value, "__index__"):
        number = value.__index__()
        if not -(1 << 63) <= number < 1 << 63:
            raise c.PolicyError(f"{number} is too large for a whole number")
        to.type, to.integer = c.INTEGER, number
    elif hasattr(value, "__float__"):
        to.type, to.number = c.NUMBER, float(value)
    else:
        raise c.PolicyError(f"a {type(value).__name__} cannot be an argument")
    return at


class PolicyRun:
    """The objects of one run whose policy is written in Python."""

    def __init__(self, library_run):
        self.library_run = library_run
        self.kept = []  # texts of the call at hand
        self.given = (c.Value * _CAPACITY)()  # of it
        self.results = (c.Value * _CAPACITY)()
        self.queue = TYPES["View"](self)
        self.cluster = TYPES["Cluster"](self)
        self.cluster._book = TYPES["Book"](self)
        for reach, kind in PARTS.items():
            setattr(self.cluster, reach, kind(self))

    def call(self, member, target, arguments):
        at = _put(self, 0, target if target._handle is not None else None)
        for argument in arguments:
            at = _put(self, at, argument)
        results, run = self.results, self.library_run
        count = c.short.berth_call(run.handle, member["number"], self.given, at, results,
                                   _CAPACITY)
        if self.kept:
            self.kept.clear()
        if count < 0:
            run.check(count)
        if count > _CAPACITY:
            raise c.PolicyError(f"{member['name']}: more than {_CAPACITY} results")
        found = self.values(results, count, member)
        if not found:
            return None
        if (len(found) == 2 and found[0] is None and isinstance(found[1], str)
                and ("refusal" in member["returns"] or "why" in member["returns"])):
            return Refused(found[1])
        return found[0] if len(found) == 1 else tuple(found)

    def job(self, handle):
        return TYPES["Job"](self, handle)

    def values(self, results, count, member):
        if count == 1:
            return [self._value(results, 0, member)[0]]
        at, found = 0, []
        while at < count:
            value, at = self._value(results, at, member)
            found.append(value)
        return found

    def _value(self, results, at, member):
        value = results[at]
        kind, at = value.type, at + 1
        if kind == c.NIL:
            return None, at
        if kind == c.BOOLEAN:
            return bool(value.integer), at
        if kind == c.INTEGER:
            return value.integer, at
        if kind == c.NUMBER:
            return value.number, at
        if kind == c.TEXT:
            text = c.ctypes.string_at(value.address, value.bytes)
            return text.decode("utf-8", "surrogateescape"), at
        if kind == c.SELECTION:
            return Selection(self, value.handle), at
        if kind == c.HANDLE:
            return self._object(value.handle, member), at
        pairs = {}
        for _ in range(value.integer):
            key, at = self._value(results, at, None)
            pairs[key], at = self._value(results, at, None)
        is_list = bool(pairs) and list(pairs) == list(range(1, len(pairs) + 1))
        return (list(pairs.values()) if is_list else pairs), at

    def _object(self, handle, member):
        if handle == c.THE_QUEUE:
            return self.queue
        kind = _COMMON.get(handle % 16)
        if kind is None:  # of a machine: the record says what it is
            words = re.findall(r"\w+", member["returns"] if member else "")
            kind = next((word for word in words if word in TYPES), None)
        return TYPES[kind](self, handle) if kind else Object(self, handle)


_COMMON = {0: "Job", 1: "Plan", 2: "View"}
TYPES = {}  # by type: "Job"
PARTS = {}  # of the cluster, by name: "tiers"


def _method(member):
    def method(self, *arguments, **options):
        if options:
            arguments += ({key.rstrip("_"): of for key, of in options.items()},)
        return self._run.call(member, self, arguments)

    method.__name__ = member["name"]
    method.__doc__ = f"({member['params']}) -> {member['returns']}\n\n{member['brief']}"
    return method


def _field(member):
    return property(lambda self: self._run.call(member, self, ()), doc=member["brief"])


def _make():
    for member in c.RECORDS["primitives"]:
        reach = member["reach"]
        if reach == "run":  # of cases alone
            continue
        kind = TYPES.get(member["type"])
        if kind is None:
            kind = type(member["type"], (Object,), {"_reach": reach})
            TYPES[member["type"]] = kind
            if reach.startswith("cluster."):
                PARTS[reach[len("cluster."):]] = kind
        name = member["name"] + ("_" if keyword.iskeyword(member["name"]) else "")
        made = _method(member) if member["form"] == "method" else _field(member)
        setattr(kind, name, made)
    TYPES["Cluster"].book = property(lambda self: self._book,
                                     doc="Reservations kept between decisions.")
    TYPES["View"].table = _table


def _table(self, *names, limit=None):
    """Columns of the members of the queue, by name, in one call."""
    if self._handle is not None:
        raise c.PolicyError("table is of the queue itself")
    fields = [c.short.berth_primitive(("job." + name).encode()) for name in names]
    for name, number in zip(names, fields):
        if number < 0:
            raise c.UsageError(f"a job has no field {name!r}")
    count, out = self._run.library_run.table(c.QUEUE, fields)
    shown = count if limit is None else min(count, limit)
    return {name: list(out[i * count:i * count + shown])
            for i, name in enumerate(names)}


c.short.berth_primitive.restype = c.c_int32
c.short.berth_primitive.argtypes = [c.c_char_p]
_make()
globals().update(TYPES)  # by their names, which _policy.pyi declares


class Policy:
    """Base of policies in Python.  `schedule` decides in each pass."""

    name = None  # in results; None: that of the class
    passes = "every"  # or "when_a_job_fits"
    promises = None  # or "easy", "conservative", ...: audited
    orders = {}  # by name: an expression of Lua on `job`, the least first
    params = {}

    def schedule(self, queue, cluster):
        raise NotImplementedError

    def on_submit(self, job, cluster):
        """A job was submitted."""

    def on_end(self, job, cluster):
        """A job ended."""


def _lua_text(text):
    return '"' + "".join(f"\\{byte:03d}" for byte in text.encode()) + '"'


def traits_of(policy):
    """The Lua table that tells the engine what the policy declares."""
    parts = [f"passes = {_lua_text(policy.passes)}"]
    if policy.promises is not None:
        parts.append(f"promises = {_lua_text(policy.promises)}")
    orders = [f"[{_lua_text(name)}] = function(job, cluster) return {text} end"
              for name, text in policy.orders.items()]
    if orders:
        parts.append("orders = { " + ", ".join(orders) + " }")
    return "{ " + ", ".join(parts) + " }"


def play(policy, library_run):
    """Runs to the end; what the policy raises passes unchanged."""
    run = PolicyRun(library_run)
    queue, cluster = run.queue, run.cluster
    hooks = [(kind, hook) for kind, hook, own in (
        (c.ENDED, policy.on_end, type(policy).on_end is not Policy.on_end),
        (c.SUBMITTED, policy.on_submit, type(policy).on_submit is not Policy.on_submit),
    ) if own]
    if hooks and policy.passes != "every":
        raise c.UsageError("a policy with hooks needs every pass: passes = \"every\"")
    while library_run.next():
        for kind, hook in hooks:
            for handle in library_run.jobs(kind):
                hook(run.job(handle), cluster)
        answer = policy.schedule(queue, cluster)
        if hasattr(answer, "send"):
            raise c.PolicyError("schedule is a generator: it must not yield")
