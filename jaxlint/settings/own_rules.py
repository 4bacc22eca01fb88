"""Rules that users write: where they come from, and which of them may be run.

A rule is a Markdown card and a class in Python.  Cards are only read, whoever names them, so that settings and comments
can speak of the rules.  Code is run of two kinds of rules: those of packages that are installed beside jaxlint,

    [project.entry-points."jaxlint.rules"]
    HOUSE101 = "house_rules:NoHostCallback"        # with the card HOUSE101.md beside the module

and those in files that the *user* has named, in a file of settings of one's own or on the command line.  What a project
names in its configuration is run only where the user trusts its folder: to lint somebody's code must not run it.
"""

from __future__ import annotations

import functools
import glob
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from jaxlint.files.entry_points import EntryPoint, editable_folder, entry_points
from jaxlint.files.reading import read_file, read_text, reason_of
from jaxlint.settings.jax_version import load_toml
from jaxlint.vocabulary.rules import Rule, know_own_rules, read_own_card
from jaxlint.vocabulary.words import did_you_mean, shortened, shown

GROUP = "jaxlint.rules"


class OwnRuleError(ValueError):
    """A rule of the user's cannot be used; the message is the one line to print."""


@dataclass(frozen=True, slots=True)
class OwnRule:
    """A rule that a user has written.

    Its class is ``name`` in the installed module ``module``, or in the file ``file`` (a real path).  ``package`` is
    what is installed, with its version; empty for a file.
    """

    rule: Rule
    name: str
    module: str = ""
    file: str = ""
    package: str = ""

    @property
    def code(self) -> str:
        return self.rule.code

    def sources(self) -> Iterator[tuple[str, bytes]]:
        """The name and content of each file that the rule is made of: its card, and the Python beside that."""
        card = self.rule.card
        folder = os.path.dirname(card)
        if os.path.isfile(os.path.join(folder, "__init__.py")):
            beside = glob.glob("**/*.py", root_dir=folder, recursive=True)
            files = [card, *(os.path.join(folder, name) for name in sorted(beside))]
        else:
            files = [card, self.file or os.path.join(folder, f"{self.module.rpartition('.')[2]}.py")]
        for path in files:
            yield path, _content(path)


def _content(path: str) -> bytes:
    try:
        return read_file(path)
    except OSError:
        return b""


# -- what is known ----------------------------------------------------------------------------------

_IN_FILES: dict[str, OwnRule] = {}
"""Those in files that have been met, by their code; of two with one code the one that was met last."""


def know_of(rules: Iterable[OwnRule] = ()) -> None:
    """Makes installed rules, and these, known as rules.  Raises OwnRuleError."""
    _IN_FILES.update((rule.code, rule) for rule in rules)
    know_own_rules(rule.rule for rule in (*_IN_FILES.values(), *installed_rules()))


def installed_rules() -> tuple[OwnRule, ...]:
    """The rules of installed packages, in the order of their codes.  Nothing is imported.  Raises OwnRuleError."""
    return _installed(entry_points(GROUP, os.getcwd()), tuple(sys.path))


@functools.cache
def _installed(points: tuple[EntryPoint, ...], folders: tuple[str, ...]) -> tuple[OwnRule, ...]:
    found: dict[str, OwnRule] = {}
    for point in points:
        rule = _of_package(point, folders)
        other = found.setdefault(rule.code, rule)
        if other is not rule:
            raise OwnRuleError(f"{rule.package} and {other.package} both have a rule {rule.code}: uninstall one")
    return tuple(found[code] for code in sorted(found))


def _of_package(point: EntryPoint, folders: tuple[str, ...]) -> OwnRule:
    package = point.distribution.rpartition(".")[0]
    module, _, name = point.value.partition(":")
    card = next((path for path in _places(module.split("."), f"{point.name}.md", folders) if os.path.isfile(path)), "")
    if not card:
        raise OwnRuleError(f"{package}: the rule {point.name} has no card {point.name}.md beside the module {module}")
    rule, _ = _card(card)
    if rule.code != point.name:
        raise OwnRuleError(f"{card}: code: {rule.code} is called {point.name} by {package}")
    return OwnRule(rule, name.strip(), module=module, package=package)


def _places(module: list[str], card: str, folders: tuple[str, ...]) -> Iterator[str]:
    """Where the card may lie: in the package, or in the one that the module is in."""
    for parts in (module, module[:-1]):
        yield from (os.path.join(os.path.abspath(folder), *parts, card) for folder in folders)
    top = editable_folder(module[0])
    for parts in (module[1:], module[1:-1]):
        yield os.path.join(top, *parts, card)


# -- cards in files ---------------------------------------------------------------------------------


def rules_in_files(patterns: Iterable[str], folder: str) -> tuple[OwnRule, ...]:
    """The rules whose cards the patterns match, from a folder on.  Nothing is run.  Raises OwnRuleError."""
    found: dict[str, OwnRule] = {}
    for pattern in patterns:
        names = glob.glob(os.path.expanduser(pattern), root_dir=folder, recursive=True) if "\0" not in pattern else []
        if not names:
            raise OwnRuleError(f"no file matches {shown(pattern)}")
        for path in sorted({os.path.normpath(os.path.join(folder, name)) for name in names}):
            rule = rule_in_file(path)
            other = found.setdefault(rule.code, rule)
            if other.rule.card != rule.rule.card:
                raise OwnRuleError(f"{rule.code} is in {other.rule.card} and in {rule.rule.card}")
    return tuple(found.values())


def rule_in_file(path: str) -> OwnRule:
    """The rule of a card, whose `rule: FILE.py:CLASS` says where the class is; nothing is run.

    Raises OwnRuleError.
    """
    rule, said = _card(path)
    file, _, name = said.get("rule", "").partition(":")
    if not file.strip().endswith(".py") or not name.strip().isidentifier():
        raise OwnRuleError(f"{path}: rule: expected the file and the class of the rule, such as no_sleep.py:NoSleep")
    place = os.path.realpath(os.path.join(os.path.dirname(path), file.strip()))
    if not os.path.isfile(place):
        raise OwnRuleError(f"{path}: rule: no such file: {file.strip()}")
    return OwnRule(rule, name.strip(), file=place)


def _card(path: str) -> tuple[Rule, dict[str, str]]:
    try:
        return read_own_card(path)
    except OSError as error:
        raise OwnRuleError(f"{path}: cannot be read: {reason_of(error)}") from None
    except ValueError as error:
        raise OwnRuleError(f"{path}: {str(error).removeprefix(os.path.basename(path) + ': ')}") from None


# -- what the user allows ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class User:
    """What the user's own file says: the rules that hold for all programs, and whose folders' rules may be run."""

    rules: tuple[OwnRule, ...] = ()
    trust: tuple[str, ...] = ()

    def trusts(self, rule: OwnRule) -> bool:
        """Whether both files of a rule lie in folders that are trusted."""
        return all(self._covers(path) for path in (rule.rule.card, rule.file))

    def _covers(self, path: str) -> bool:
        folder = os.path.dirname(os.path.realpath(path))
        while True:
            if any(fnmatchcase(folder, pattern) for pattern in self.trust):
                return True
            folder, inner = os.path.dirname(folder), folder
            if folder == inner:
                return False


def not_run(rules: Iterable[OwnRule]) -> Iterator[str]:
    """The warning about each rule that is not run as the user does not trust it."""
    for rule in rules:
        folder = os.path.dirname(os.path.realpath(rule.rule.card))
        yield f"{rule.rule.card}: the rule {rule.code} is not run: {user_file()} does not `trust` {folder}"


def user_file() -> str:
    """Where the user's own settings are, if there are any."""
    home = os.environ.get("XDG_CONFIG_HOME") or (os.environ.get("APPDATA") if os.name == "nt" else "")
    return os.path.join(home or os.path.expanduser("~/.config"), "jaxlint", "user.toml")


def read_user() -> User:
    """What the user's own file says; nothing where there is none.  Raises OwnRuleError."""
    path = user_file()
    try:
        table = load_toml(read_text(path))
    except FileNotFoundError:
        return User()
    except OSError as error:
        raise OwnRuleError(f"{path}: cannot be read: {reason_of(error)}") from None
    except ValueError as error:
        raise OwnRuleError(f"{path}: not TOML: {str(error).splitlines()[0]}") from None
    found: dict[str, list[str]] = {"rules": [], "trust": []}
    for key, value in table.items():
        if key not in found:
            raise OwnRuleError(f"{path}: unknown key `{shortened(key)}`{did_you_mean(key, found)}")
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise OwnRuleError(f"{path}: {key}: expected a list of strings, found {shown(value)}")
        found[key] = value
    folder = os.path.dirname(path)
    try:
        rules = rules_in_files(found["rules"], folder)
    except OwnRuleError as error:
        raise OwnRuleError(f"{path}: rules: {error}") from None
    return User(rules, tuple(os.path.realpath(os.path.expanduser(place)) for place in found["trust"]))
