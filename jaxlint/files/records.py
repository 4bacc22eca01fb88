"""Records (dataclasses) as JSON and back, so that nothing which somebody else may have written is ever unpickled."""

from __future__ import annotations

import enum
import functools
import json
from dataclasses import asdict, is_dataclass
from typing import Any, get_args, get_origin, get_type_hints


def to_json(record: Any, /, **head: str) -> str:
    """One line of JSON for a dataclass, with what stands in ``head`` before its fields."""
    return json.dumps({**head, **asdict(record)}, separators=(",", ":"), default=_plain)


def decoded(hint: Any, value: Any) -> Any:
    """JSON's lists, strings and objects as the tuples, enumerations and records that ``hint`` declares.

    Raises ValueError, KeyError, TypeError or AttributeError for what is none.
    """
    if hasattr(hint, "_fields"):  # a tuple with names
        return hint(*(decoded(kind, item) for kind, item in zip(_hints(hint).values(), value)))
    if isinstance(hint, type) and is_dataclass(hint):
        fields = _hints(hint)
        return hint(**{name: decoded(fields[name], item) for name, item in value.items()})
    origin, arguments = get_origin(hint), get_args(hint)
    if type(None) in arguments:
        return None if value is None else decoded(arguments[0], value)
    if origin is list:
        return [decoded(arguments[0], item) for item in value]
    if origin is tuple:
        each = arguments[:1] * len(value) if arguments[-1] is ... else arguments
        return tuple(decoded(item_hint, item) for item_hint, item in zip(each, value))
    if origin in (set, frozenset):
        return origin(decoded(arguments[0], item) for item in value)
    if hint is Any and isinstance(value, list):
        return tuple(decoded(Any, item) for item in value)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return hint(value)
    if hint in _PLAIN and not isinstance(value, _PLAIN[hint]):
        raise ValueError(f"no {hint.__name__}: {value!r:.80}")
    return value


_PLAIN: dict[Any, tuple[type, ...]] = {str: (str,), int: (int,), float: (float, int), bool: (bool,)}


@functools.cache
def _hints(record: type) -> dict[str, Any]:
    return get_type_hints(record)


def _plain(value: object) -> object:
    """What stands in JSON for an enumeration's member, or a set.  Raises TypeError for anything else."""
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, (set, frozenset)):
        return sorted(value)
    raise TypeError(f"no JSON for {type(value).__name__}")
