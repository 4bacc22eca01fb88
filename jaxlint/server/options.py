"""What the editor's user has set: the section `jaxlint` of the editor's settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from jaxlint.settings.configuration import Configuration
from jaxlint.vocabulary.words import did_you_mean

SECTION = "jaxlint"


class OptionsError(Exception):
    """A setting of the editor cannot be used; the message is the one line to show."""


@dataclass(frozen=True)
class Options:
    """The settings of one workspace folder.

    ``workspace``: report on every file of the folder, not only on those that are open.  ``inlay_hints``: mark traced
    parameters.  ``code_lens``: say above a function by what it is traced.  ``unsafe_fixes``: "fix all" makes unsafe
    fixes too.  ``configuration``: the one configuration file to use.  ``settings``: what overrides configuration files,
    under their keys.
    """

    workspace: bool = False
    inlay_hints: bool = False
    code_lens: bool = False
    unsafe_fixes: bool = False
    configuration: str | None = None
    settings: Mapping[str, object] = field(default_factory=dict)

    def configuration_in(self, folder: str) -> Configuration:
        """How configuration is found for files in a workspace folder."""
        return Configuration(folder, self.settings, self.configuration, overrides_from="editor settings")


def parse_options(value: object) -> Options:
    """The options in a JSON value; null, for any key too, means the default.  Raises OptionsError."""
    if value is None:
        return Options()
    if not isinstance(value, dict):
        raise OptionsError(f"{SECTION}: expected an object, found {_show(value)}")
    found: dict[str, Any] = {}
    for key, item in value.items():
        if key not in _KEYS:
            raise OptionsError(f"unknown setting `{SECTION}.{key}`{did_you_mean(str(key), _KEYS)}")
        name, parse = _KEYS[key]
        if item is not None and name is not None:
            found[name] = parse(f"{SECTION}.{key}", item)
    return Options(**found)


def _boolean(key: str, value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise OptionsError(f"{key}: expected true or false, found {_show(value)}")


def _path(key: str, value: object) -> str | None:
    if isinstance(value, str):
        return value or None
    raise OptionsError(f"{key}: expected a path, found {_show(value)}")


def _table(key: str, value: object) -> dict[str, object]:
    if isinstance(value, dict):
        return value
    raise OptionsError(f"{key}: expected an object with the keys of jaxlint.toml, found {_show(value)}")


def _mode(key: str, value: object) -> bool:
    if value in ("openFilesOnly", "workspace"):
        return value == "workspace"
    raise OptionsError(f'{key}: expected "openFilesOnly" or "workspace", found {_show(value)}')


def _ignored(key: str, value: object) -> None:
    """For what is the editor extension's own business."""


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


_KEYS: dict[str, tuple[str | None, Callable[[str, object], object]]] = {
    "diagnosticMode": ("workspace", _mode),
    "inlayHints": ("inlay_hints", _boolean),
    "codeLens": ("code_lens", _boolean),
    "unsafeFixes": ("unsafe_fixes", _boolean),
    "configuration": ("configuration", _path),
    "settings": ("settings", _table),
    "command": (None, _ignored),
    "trace": (None, _ignored),
}
