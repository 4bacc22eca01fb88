"""What `jaxlint init` proposes to a project: a configuration, an entry for pre-commit, and a baseline for what is old.

A proposal is the whole new text of one file.  Files that are there gain lines at one place and keep every other byte.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from jaxlint.files.reading import read_file
from jaxlint.project.roots import repository_around
from jaxlint.settings.configuration import closest_file
from jaxlint.settings.jax_version import load_toml

_SETTINGS = """\
# Report from here up: "possible", "likely" or "certain".
# certainty = "likely"
#
# Rules that are off: codes, beginnings of codes, or names. `jaxlint rule` lists all.
# ignore = ["JAX207"]
#
# What is left out, beside environments, caches and build folders.
# extend-exclude = ["third_party"]
#
# The version of jax that the code runs with. Without it that is what the packaging files declare.
# jax-version = "0.4.30"
#
# [{table}per-file-ignores]
# "tests/*" = ["JAX101"]
"""

_HOOK = """\
- repo: local
  hooks:
    - id: jaxlint
      name: jaxlint
      entry: jaxlint check --force-exclude
      language: system # the jaxlint of the environment that commits
      types_or: [python, pyi, jupyter]
      require_serial: true
"""

_HOOKS = ".pre-commit-config.yaml"


@dataclass(frozen=True)
class Proposal:
    """A file with the lines that it gains, and all that is in it then; no ``data`` where nothing is to be done."""

    path: str
    what: str
    added: str = ""
    data: bytes | None = None


def configuration(folder: str) -> Proposal:
    """A table in the pyproject.toml of a folder, or a file of its own.  Raises ConfigurationError and OSError."""
    known = closest_file(folder)
    if known is not None:
        return Proposal(known, "configures jaxlint already")
    shared = os.path.join(folder, "pyproject.toml")
    if os.path.exists(shared):
        added = "[tool.jaxlint]\n" + _SETTINGS.format(table="tool.jaxlint.")
        data = _joined(read_file(shared), added)
        if _is_toml(data):
            return Proposal(shared, "the settings of jaxlint", added, data)
    added = _SETTINGS.format(table="")
    return Proposal(os.path.join(folder, "jaxlint.toml"), "the settings of jaxlint", added, added.encode())


def hook(folder: str) -> Proposal | None:
    """The entry for pre-commit in the repository around a folder; None outside of any.  Raises OSError."""
    top = repository_around(folder)
    if top is None:
        return None
    path = os.path.join(top, _HOOKS)
    if not os.path.exists(path):
        added = "repos:\n" + _indented(_HOOK, "  ")
        return Proposal(path, "a hook for pre-commit", added, added.encode())
    text = read_file(path).decode("utf-8", "surrogateescape")
    if re.search(r"^ *(?:- +)?id: *['\"]?jaxlint", text, re.MULTILINE):
        return Proposal(path, "runs jaxlint already")
    return _with_hook(path, text)


def _with_hook(path: str, text: str) -> Proposal:
    """The hook at the end of the list of repositories, laid out as the others are."""
    lines = text.splitlines(keepends=True)
    start = next((number for number, line in enumerate(lines) if re.match(r"repos:\s*(#.*)?$", line)), None)
    if start is None:
        what = "has no list `repos:` that takes another entry, which would be:"
        return Proposal(path, what, _indented(_HOOK, "  "))
    end = start + 1
    for number in range(start + 1, len(lines)):
        if re.match(r"[^\s#-]", lines[number]):  # the next key
            break
        if lines[number].strip() and not lines[number].startswith("#"):
            end = number + 1
    items = (re.match(r"( *)- ", line) for line in lines[start + 1 : end])
    added = _indented(_HOOK, next((item[1] for item in items if item), "  "))
    before, after = "".join(lines[:end]), "".join(lines[end:])
    data = _joined(before.encode("utf-8", "surrogateescape"), added, gap="")
    return Proposal(path, "a hook for pre-commit", added, data + after.encode("utf-8", "surrogateescape"))


def _indented(text: str, margin: str) -> str:
    return "".join(margin + line for line in text.splitlines(keepends=True))


def _joined(data: bytes, added: str, gap: str = "\n") -> bytes:
    """The lines behind what is there, with its line ends."""
    newline = b"\r\n" if b"\r\n" in data else b"\n"
    end = b"" if not data or data.endswith(b"\n") else newline
    return data + end + ((gap if data else "") + added).encode().replace(b"\n", newline)


def _is_toml(data: bytes) -> bool:
    """Whether a table of ours can stand there: `tool` may be written in a way that takes no other."""
    try:
        return "jaxlint" in load_toml(data.decode("utf-8"))["tool"]
    except (ValueError, KeyError, TypeError):
        return False


def shown(proposal: Proposal, cwd: str) -> Iterator[str]:
    """What is proposed, for people."""
    yield f"{os.path.relpath(proposal.path, cwd)}: {proposal.what}"
    yield from (f"  + {line}".rstrip() for line in proposal.added.splitlines())
