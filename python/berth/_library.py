"""The C library behind the package: where it is found, and its calls (berth.h)."""

import ctypes
import ctypes.util
import json
import os
from ctypes import (
    POINTER, Structure, Union, byref, c_char, c_char_p, c_double, c_int32, c_int64,
    c_size_t, c_uint32, c_uint64, c_void_p,
)

ABI = 1
NIL, BOOLEAN, INTEGER, NUMBER, TEXT, HANDLE, SELECTION, TABLE = range(8)
QUEUE, RUNNING, SUBMITTED, ENDED = range(4)
THE_QUEUE = 2
AUDITED, KEEP_JOBS, IN_TURN = 1, 2, 4
AUTO_RESET = 1


class CError(Structure):
    _fields_ = [("code", c_int32), ("line", c_int32), ("column", c_int32),
                ("file", c_char * 236), ("text", c_char * 1024)]


class Options(Structure):
    _fields_ = [("struct_bytes", c_uint32), ("flags", c_uint32), ("policy", c_char_p),
                ("traits", c_char_p), ("seed", c_uint64), ("window", c_int64),
                ("first_from", c_int64), ("first_to", c_int64), ("stride", c_int64),
                ("warm", c_int64), ("warm_policy", c_char_p), ("work_limit", c_int64),
                ("time_limit", c_double), ("memory_limit", c_int64)]


class Env(Structure):
    _fields_ = [("struct_bytes", c_uint32), ("jobs", c_int32), ("reserved", c_int32),
                ("features", c_char_p), ("machine", c_char_p), ("choose", c_char_p),
                ("backfill", c_char_p), ("reward", c_char_p), ("credit", c_char_p),
                ("seen", c_void_p), ("mask", c_void_p), ("ids", c_void_p),
                ("outcome", c_void_p), ("ended", c_void_p), ("step_limit", c_int64)]


class _As(Union):
    _fields_ = [("integer", c_int64), ("number", c_double), ("handle", c_uint64),
                ("text", c_char_p), ("address", c_void_p)]


class Value(Structure):
    _anonymous_ = ("of",)
    _fields_ = [("type", c_int32), ("bytes", c_int32), ("of", _As)]


PROGRESS = ctypes.CFUNCTYPE(c_int32, c_void_p, c_int64, c_int64)


class StudyOptions(Structure):
    _fields_ = [("struct_bytes", c_uint32), ("threads", c_int32), ("out", c_char_p),
                ("sets", POINTER(c_char_p)), ("progress", PROGRESS),
                ("context", c_void_p)]


class Error(Exception):
    """What berth refuses: code is the exit status that the program would have."""

    code = 70

    def __init__(self, text, code=None, file="", line=0, column=0):
        super().__init__(text)
        self.code = type(self).code if code is None else code
        self.file, self.line, self.column = file, line, column


class AuditError(Error):
    code = 1


class UsageError(Error, ValueError):
    code = 2


class InputError(Error):
    code = 3


class PolicyError(Error):
    code = 4


class LimitError(Error):
    code = 5


_KINDS = {1: AuditError, 2: UsageError, 3: InputError, 4: PolicyError, 5: LimitError,
          6: LimitError}


def error_of(told):
    code = -told.code
    if code == 130:
        return KeyboardInterrupt()
    kind = _KINDS.get(code, Error)
    return kind(told.text.decode("utf-8", "replace"), code,
                told.file.decode("utf-8", "replace"), told.line, told.column)


def _candidates():
    given = os.environ.get("BERTH_LIBRARY", "")
    if given:
        return [given]
    here = os.path.dirname(os.path.abspath(__file__))
    for folder in (here, os.path.join(here, "lib")):  # the second: of a wheel
        beside = os.path.join(folder, "libberth.so.1")
        if os.path.exists(beside):
            return _companions(folder) + [beside]
    return ["libberth.so.1"]


def _companions(folder):
    """The libraries of a wheel that libberth needs: they are loaded first, by their full
    names, since no path of the system leads to them."""
    return sorted(os.path.join(folder, name) for name in os.listdir(folder)
                  if ".so" in name and not name.startswith("libberth"))


def _load(kind):
    *companions, library = _candidates()
    try:
        for name in companions:
            ctypes.CDLL(name)
        return kind(library)
    except OSError as problem:
        raise ImportError("libberth is not there; set BERTH_LIBRARY to the file: "
                          f"{problem}") from None


_INT = {
    "berth_abi": (c_uint32, []),
    "berth_version": (c_char_p, []),
    "berth_records": (c_char_p, []),
    "berth_scenario_open": (c_int32, [c_char_p, c_size_t, c_char_p, POINTER(c_void_p),
                                      POINTER(CError)]),
    "berth_scenario_close": (None, [c_void_p]),
    "berth_open": (c_int32, [c_void_p, POINTER(Options), POINTER(c_void_p),
                             POINTER(CError)]),
    "berth_next": (c_int32, [c_void_p]),
    "berth_advance": (c_int32, [c_void_p, c_double]),
    "berth_delegate": (c_int32, [c_void_p, c_char_p]),
    "berth_call": (c_int32, [c_void_p, c_int32, POINTER(Value), c_int32, POINTER(Value),
                             c_int32]),
    "berth_walk": (c_int32, [c_void_p, c_uint64, POINTER(Value), c_int32]),
    "berth_jobs": (c_int64, [c_void_p, c_int32, POINTER(c_int32), c_int32,
                             POINTER(c_uint64), POINTER(c_double), c_int64]),
    "berth_bind": (c_int32, [c_void_p, POINTER(Env)]),
    "berth_reset": (c_int32, [c_void_p, c_uint64]),
    "berth_step": (c_int32, [c_void_p, c_int32]),
    "berth_step_many": (c_int32, [POINTER(c_void_p), c_int32, POINTER(c_int32), c_uint32,
                                  POINTER(c_int32)]),
    "berth_result": (c_int64, [c_void_p, c_char_p, c_int64]),
    "berth_column": (c_int64, [c_void_p, c_char_p, POINTER(c_double), c_int64]),
    "berth_hash": (c_uint64, [c_void_p]),
    "berth_failure": (c_int32, [c_void_p, POINTER(CError)]),
    "berth_close": (None, [c_void_p]),
    "berth_study": (c_int32, [c_char_p, c_size_t, c_char_p, POINTER(StudyOptions),
                              POINTER(c_void_p), POINTER(CError)]),
    "berth_free": (None, [c_void_p]),
}


def _declared(library):
    for name, (result, arguments) in _INT.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


# Short calls keep the lock of the interpreter, long ones release it.
short = _declared(_load(ctypes.PyDLL))
long = _declared(_load(ctypes.CDLL))
if short.berth_abi() != ABI:
    raise ImportError(f"libberth has the interface {short.berth_abi()}, this package "
                      f"is written for {ABI}: install them together")
RECORDS = json.loads(short.berth_records())


class Scenario:
    """A scenario of one point."""

    def __init__(self, toml, folder=None):
        text = toml.encode("utf-8", "surrogateescape")
        self.handle = c_void_p()
        told = CError()
        code = long.berth_scenario_open(text, len(text),
                                        None if folder is None else os.fsencode(folder),
                                        byref(self.handle), byref(told))
        if code < 0:
            raise error_of(told)

    def close(self):
        short.berth_scenario_close(self.handle)
        self.handle = c_void_p()


class Run:
    """One policy on a scenario; `policy` None: the caller decides.

    `windows`: fields of berth_options, and in_turn.
    """

    def __init__(self, scenario, policy=None, traits=None, audit=True, seed=0,
                 windows=None):
        fields = dict(windows or {})
        flags = KEEP_JOBS | (AUDITED if audit else 0)
        flags |= IN_TURN if fields.pop("in_turn", False) else 0
        options = Options(struct_bytes=ctypes.sizeof(Options), seed=seed, flags=flags,
                          **fields)
        options.policy = None if policy is None else os.fsencode(policy)
        options.traits = None if traits is None else traits.encode()
        self.handle = c_void_p()
        told = CError()
        if long.berth_open(scenario.handle, byref(options), byref(self.handle),
                           byref(told)) < 0:
            raise error_of(told)

    def check(self, code):
        if code >= 0:
            return code
        told = CError()
        short.berth_failure(self.handle, byref(told))
        raise error_of(told)

    def next(self):
        return self.check(long.berth_next(self.handle))

    def advance(self, until):
        return self.check(long.berth_advance(self.handle, until))

    def summary(self):
        size = self.check(short.berth_result(self.handle, None, 0))
        text = ctypes.create_string_buffer(size + 1)
        self.check(short.berth_result(self.handle, text, size + 1))
        return json.loads(text.value)

    def column(self, name):
        count = self.check(short.berth_column(self.handle, name.encode(), None, 0))
        values = (c_double * count)()
        self.check(short.berth_column(self.handle, name.encode(), values, count))
        return values

    def jobs(self, kind):
        count = self.check(short.berth_jobs(self.handle, kind, None, 0, None, None, 0))
        handles = (c_uint64 * count)()
        self.check(short.berth_jobs(self.handle, kind, None, 0, handles, None, count))
        return list(handles)

    def table(self, kind, fields):
        count = self.check(short.berth_jobs(self.handle, kind, None, 0, None, None, 0))
        numbers = (c_int32 * len(fields))(*fields)
        out = (c_double * (count * len(fields)))()
        self.check(short.berth_jobs(self.handle, kind, numbers, len(fields), None, out,
                                    count))
        return count, out

    def close(self):
        short.berth_close(self.handle)
        self.handle = c_void_p()


def study(toml, folder, sets, out, threads, progress):
    """The summaries of all runs, as berth run --json=runs prints them."""
    text = toml.encode("utf-8", "surrogateescape")
    texts = [each.encode() for each in sets] + [None]
    options = StudyOptions(struct_bytes=ctypes.sizeof(StudyOptions), threads=threads)
    options.out = None if out is None else os.fsencode(out)
    options.sets = (c_char_p * len(texts))(*texts)
    raised = []

    def report(_context, done, of):
        try:
            progress(done, of)
        except BaseException as problem:  # handed on below: C knows no exceptions
            raised.append(problem)
            return 1
        return 0

    options.progress = PROGRESS(report) if progress else PROGRESS()
    answer, told = c_void_p(), CError()
    code = long.berth_study(text, len(text),
                            None if folder is None else os.fsencode(folder),
                            byref(options), byref(answer), byref(told))
    if raised:
        if answer:
            short.berth_free(answer)
        raise raised[0]
    if code < 0:
        raise error_of(told)
    try:
        return json.loads(ctypes.string_at(answer))
    finally:
        short.berth_free(answer)
