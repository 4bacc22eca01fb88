"""What has changed since a git revision: the lines of the working tree that are new or different."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field

from jaxlint.project.roots import repository_around

_HUNK = re.compile(rb"@@ -\S+ \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPED = {b"a": b"\a", b"b": b"\b", b"t": b"\t", b"n": b"\n", b"v": b"\v", b"f": b"\f", b"r": b"\r"}

_DIFF = (
    "diff --unified=0 --inter-hunk-context=0 --find-renames --no-color --no-ext-diff --no-textconv --text "
    "--no-relative --ignore-submodules --src-prefix=a/ --dst-prefix=b/"
).split()
"""A diff that no configuration of the user's makes look otherwise."""

_FROM_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
"""What git tells the hooks it runs, which would send every git below to that repository."""

_PATTERNS = ("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS")
"""What makes patterns mean something else."""


class ChangesError(Exception):
    """Git cannot say what has changed; the message is the one line to print."""


class _SaysNoError(ChangesError):
    """Git's answer is no, which it does not explain."""


@dataclass(frozen=True)
class Changes:
    """``lines`` has the changed lines of the files that changed, by real path; ``whole`` the files that are new."""

    lines: dict[str, frozenset[int]] = field(default_factory=dict)
    whole: frozenset[str] = frozenset()

    def touch(self, path: str, first: int, last: int) -> bool:
        """Whether one of these lines of a file has changed; ``last`` is 0 where there is only one."""
        real = os.path.realpath(path)
        changed = self.lines.get(real, frozenset())
        return real in self.whole or any(line in changed for line in range(first, max(first, last) + 1))

    def touch_file(self, path: str) -> bool:
        """Whether anything in a file has changed."""
        real = os.path.realpath(path)
        return real in self.whole or real in self.lines


def changes_since(revision: str, files: Iterable[str]) -> Changes:
    """What has changed in files between where the current branch has left a revision and the files as they lie there.

    Files that git does not track are new.  Raises ChangesError.
    """
    by_folder: dict[str, str | None] = {}
    by_repository: dict[str, set[str]] = {}
    for path in files:
        real = os.path.realpath(path)
        folder = os.path.dirname(real)
        if folder not in by_folder:
            by_folder[folder] = repository_around(folder)
        top = by_folder[folder]
        if top is None:
            raise ChangesError(f"--since: {path} is in no git repository")
        by_repository.setdefault(top, set()).add(real)
    lines: dict[str, frozenset[int]] = {}
    whole: set[str] = set()
    for top, asked in by_repository.items():
        base = _base(top, revision)
        lines.update(_changed_lines(top, _git(top, *_DIFF, base, "--", *_like(top, asked))))
        tracked = {os.path.join(top, os.fsdecode(name)) for name in _git(top, "ls-files", "-z").split(b"\0")}
        whole |= asked - tracked
    return Changes(lines, frozenset(whole))


def _base(top: str, revision: str) -> str:
    """The commit to compare with: the last that HEAD has in common with the revision, else the revision itself."""
    try:
        _git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    except _SaysNoError:
        shallow = " (the clone is shallow: fetch more of its history)" if _is_shallow(top) else ""
        raise ChangesError(f"--since: {top} has no revision `{revision}`{shallow}") from None
    try:
        return _git(top, "merge-base", revision, "HEAD").decode().strip()
    except _SaysNoError:
        return revision


def _like(top: str, files: Iterable[str]) -> list[str]:
    """Patterns for files of these kinds, which may explain findings in others: no need to look into data sets."""
    patterns = {"*.py"}
    for path in files:
        suffix = os.path.splitext(path)[1]
        patterns.add(f"*{suffix}" if suffix[1:].isalnum() else f":(literal){os.path.relpath(path, top)}")
    return sorted(patterns)


def _is_shallow(top: str) -> bool:
    return _git(top, "rev-parse", "--is-shallow-repository").strip() == b"true"


def _changed_lines(top: str, diff: bytes) -> dict[str, frozenset[int]]:
    """The new sides of a diff: from real paths to lines.  A file that only lost lines has none, but is there."""
    found: dict[str, set[int]] = {}
    lines: set[int] = set()
    left = 0  # lines of the hunk, which may look like anything
    for line in diff.split(b"\n"):
        hunk = None if left else _HUNK.match(line)
        if hunk:
            first, count = int(hunk[1]), int(hunk[2] or b"1")
            lines.update(range(first, first + count))
            left = count
        elif left:
            left -= line.startswith(b"+")
        elif line.startswith(b"+++ ") and line != b"+++ /dev/null":
            name = os.fsdecode(_unquoted(line[4:]).removeprefix(b"b/"))
            lines = found.setdefault(os.path.realpath(os.path.join(top, name)), set())
    return {path: frozenset(changed) for path, changed in found.items()}


def _unquoted(name: bytes) -> bytes:
    """A path as git writes it in a diff: in C's quotes where it has unusual characters, or a tab behind spaces."""
    if not name.startswith(b'"'):
        return name.removesuffix(b"\t")
    return _ESCAPE.sub(
        lambda match: bytes([int(match[1], 8)]) if match[1].isdigit() else _ESCAPED.get(match[1], match[1]),
        name[1 : name.rindex(b'"')],
    )


def _git(top: str, *arguments: str) -> bytes:
    """What git prints.  Raises ChangesError with the first line of its complaint."""
    environment = {name: value for name, value in os.environ.items() if name not in _FROM_HOOKS + _PATTERNS} | {
        "LC_ALL": "C"
    }
    try:
        done = subprocess.run(["git", "-C", top, *arguments], capture_output=True, env=environment, check=False)
    except OSError as error:
        raise ChangesError(f"--since: git cannot be run: {error.strerror}") from None
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        raise ChangesError(f"--since: git: {reason}") if reason else _SaysNoError(f"--since: git {arguments[0]} failed")
    return done.stdout
