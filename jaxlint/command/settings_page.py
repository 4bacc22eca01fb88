"""What `--show-settings` prints: the settings of a program as TOML, each with where it comes from."""

from __future__ import annotations

import json
import os
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import fields
from typing import Any

from jaxlint.project.program import group_by_root
from jaxlint.project.roots import baseline_path
from jaxlint.running.once import Run
from jaxlint.settings.jax_version import declared_jax
from jaxlint.settings.own_rules import not_run
from jaxlint.settings.resolved import Settings
from jaxlint.vocabulary.rules import all_rules


def settings_page(run: Run) -> Iterator[str]:
    """For each program of a run its settings, and which rules are off in the file, where one is asked for.

    Raises ConfigurationError.
    """
    programs = group_by_root(run.files, run.folders) or {folder: [] for folder in run.folders}
    for number, (root, files) in enumerate(programs.items()):
        if number:
            yield ""
        yield from _program(run, root, files)


def _program(run: Run, root: str, files: list[str]) -> Iterator[str]:
    settings = run.configuration.settings_for(root)
    origins = run.configuration.origins(root)
    yield f"# program: {root}"
    yield f"# configuration file: {run.configuration.file_for(root) or 'none'}"
    declared = declared_jax(root, settings.jax_version, []).in_words
    yield f"# version of jax: {declared}, {origins.get('jax-version', 'as the packaging files say')}"
    lines = [(key, _toml(key, settings, root)) for key in _keys()]
    width = max(len(f"{key} = {text}") for key, text in lines if len(text) < _WIDE)
    for key, text in lines:
        yield f"{f'{key} = {text}':{width}}  # {origins.get(key, 'default')}"
    yield from (f"# {told}" for told in not_run(settings.untrusted))
    yield from _off(settings, files[0] if len(files) == 1 else "")


_WIDE = 60
"""A longer value does not move the comments of the others."""


def _keys() -> Iterator[str]:
    return (field.name.replace("_", "-") for field in fields(Settings) if field.name not in _NO_KEYS)


_NO_KEYS = ("root", "jax_version", "untrusted")
"""Fields of the settings that are no key with a value to be shown."""


def _toml(key: str, settings: Settings, root: str) -> str:
    value = getattr(settings, key.replace("-", "_"))
    if key in _SPECIAL:
        value = _SPECIAL[key](value)
    if key == "baseline":
        value = baseline_path(settings, root)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(name)} = {_text(each)}" for name, each in value.items()) + "}"
    return _text(value)


_SPECIAL: dict[str, Callable[[Any], object]] = {
    "certainty": lambda certainty: certainty.label,
    "per-file-ignores": dict,
    "transforms": dict,
    "inputs": dict,
    "libraries": lambda rows: sorted({row.source for row in rows}),
    "rules": lambda rules: [rule.rule.card for rule in rules],
}
"""What a value is called in a file."""


def _text(value: object) -> str:
    """Strings, lists of them and truth are written alike in JSON and TOML."""
    return json.dumps(value, ensure_ascii=False)


def _off(settings: Settings, path: str) -> Iterator[str]:
    """The rules that report nothing, in a file or anywhere."""
    rules = all_rules()
    off = [code for code in rules if not settings.enables(code, path)]
    where = f"in {os.path.basename(path)}" if path else "where no file says otherwise"
    yield f"# {len(rules) - len(off)} of {len(rules)} rules are on {where}{'; off:' if off else ''}"
    yield from textwrap.wrap(", ".join(off), 100, initial_indent="#   ", subsequent_indent="#   ")
