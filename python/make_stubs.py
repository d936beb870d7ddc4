"""Writes python/berth/_policy.pyi, what editors know of the policy API, from the records
of the library: python3 python/make_stubs.py ; BERTH_LIBRARY names libberth.so."""

import keyword
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

from berth import _library as c  # noqa: E402: the path is set above
from berth._policy import PARTS, TYPES  # noqa: E402

HEAD = '''# Written by python/make_stubs.py from the records of the library.  Do not edit.
from typing import Any, Iterator, Sequence

class Refused:
    reason: str
    def __init__(self, reason: str) -> None: ...
    def __bool__(self) -> bool: ...

class Object: ...

class Selection(Iterator[Any]):
    def __iter__(self) -> Selection: ...
    def __next__(self) -> Any: ...

class Policy:
    name: str | None
    passes: str
    promises: str | None
    orders: dict[str, str]
    params: dict[str, Any]
    def schedule(self, queue: View, cluster: Cluster) -> None: ...
    def on_submit(self, job: Job, cluster: Cluster) -> None: ...
    def on_end(self, job: Job, cluster: Cluster) -> None: ...
'''
PLAIN = {"integer": "int", "number": "float", "seconds": "float", "string": "str",
         "boolean": "bool", "true": "bool", "nil": "None", "job_state": "str",
         "tier": "str", "event": "str", "refusal": "str"}


def type_of(text):
    """The type that one value has in Python."""
    if "fun(" in text:
        return "Selection" if text.startswith("fun(): ") else "Any"
    is_optional = text.endswith("?")
    kinds = []
    for each in text.rstrip("?").split("|"):
        base = each[:-2] if each.endswith("[]") else each
        kind = "str" if base.startswith('"') else PLAIN.get(
            base, base if base in TYPES or base == "Selection" else "Any")
        kind = f"Sequence[{kind}]" if each.endswith("[]") else kind
        if kind not in kinds:
            kinds.append(kind)
    if "Any" in kinds:
        return "Any"
    return " | ".join(kinds + (["None"] if is_optional and "None" not in kinds else []))


def result_of(returns):
    """nil and a reason are Refused, several values a tuple."""
    if not returns:
        return "None"
    parts = [returns] if "fun(" in returns else [
        each.split(" ")[0] for each in returns.split(", ")]
    if len(parts) == 1:
        return type_of(parts[0])
    if "refusal" in returns[1:] and not returns.startswith("refusal") \
            or "why" in returns:
        return f"{type_of(parts[0].rstrip('?'))} | Refused"
    if returns.startswith(("refusal?", "string?")):
        return "Any"
    return f"tuple[{', '.join(map(type_of, parts))}]"


def parameters_of(params):
    made = ["self"]
    takes_options = False
    # Commas inside of parentheses are those of functions.
    for each in re.split(r", (?![^(]*\))", params) if params else ():
        name, kind = each.split(": ", 1)
        takes_options = takes_options or "table" in kind
        if name == "...":
            made.append(f"*more: {type_of(kind)}")
            continue
        bare = name.rstrip("?")
        bare += "_" if keyword.iskeyword(bare) else ""
        may_lack = name.endswith("?")
        made.append(f"{bare}: {type_of(kind + '?' * may_lack)}{' = ...' * may_lack}")
    return ", ".join(made + (["**keywords: Any"] if takes_options else []))


def stub_of(kind):
    lines = [f"\nclass {kind}(Object):"]
    for member in c.RECORDS["primitives"]:
        if member["type"] != kind:
            continue
        name = member["name"] + ("_" if keyword.iskeyword(member["name"]) else "")
        if (kind, name) == ("Cluster", "book"):  # a property, made below
            continue
        if member["form"] == "method":
            lines.append(f"    def {name}({parameters_of(member['params'])}) -> "
                         f"{result_of(member['returns'])}: ...")
        else:
            lines += ["    @property",
                      f"    def {name}(self) -> {result_of(member['returns'])}: ..."]
    if kind == "Cluster":
        for part, of in [("book", TYPES["Book"]), *PARTS.items()]:
            lines += ["    @property", f"    def {part}(self) -> {of.__name__}: ..."]
    if kind == "View":
        lines.append("    def table(self, *names: str, limit: int | None = ...) -> "
                     "dict[str, list[float]]: ...")
    return "\n".join(lines) + "\n"


def stubs():
    return HEAD + "".join(stub_of(kind) for kind in TYPES)


if __name__ == "__main__":
    with open(os.path.join(HERE, "berth", "_policy.pyi"), "w") as file:
        file.write(stubs())
