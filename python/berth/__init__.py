"""berth: scheduling policies on simulated clusters, from Python (docs/python.md)."""

from ._library import (AuditError, Error, InputError, LimitError, PolicyError, UsageError)
from ._library import short as _short
from ._policy import Policy, Refused
from ._run import Result, Results, run, sweep

__version__ = _short.berth_version().decode()
__all__ = ["AuditError", "Error", "InputError", "LimitError", "Policy", "PolicyError",
           "Refused", "Result", "Results", "UsageError", "run", "sweep"]
