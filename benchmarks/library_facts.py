"""The tables of `semantics/libraries` against the source of the installed libraries.

    python benchmarks/library_facts.py [--out DIR] [--write] [LIBRARY ...]

Every public function, class and method of a library is read (`library_source.py`), and so is what its factories
return.  Of a parameter that gets to the key of a function of ``jax.random``, or is called like one that does, the
source says whether it *draws* (on every path or on some), *folds*, *hands* the key to code that only the caller knows,
*keeps* or *ignores* it.  Of a parameter that is called it says under which transforms, and so what it sees of an array.
The counts are printed, and each difference from the tables that ``tests/semantics/library_facts.toml`` leaves open.

``--write`` writes `jaxlint/semantics/libraries/read.py`, what is certain of public callables that no table written by
hand knows.  ``--out`` keeps everything that was found as lines of JSON.  A library that is not installed is left out,
and its part of that file stays.
"""

from __future__ import annotations

import argparse
import ast
import collections
import fnmatch
import importlib
import importlib.metadata
import inspect
import json
import pkgutil
import re
import subprocess
import sys
import textwrap
import time
import types
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from library_source import Effect, Reading, bare, node_of, places_of

from jaxlint.semantics import transforms
from jaxlint.semantics.libraries import LIBRARIES, spellings
from jaxlint.semantics.libraries import read as written
from jaxlint.semantics.model import Abstracts, HigherOrder, KeyEffect, KeyUse, Library, Wrapper

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NAMES = "blackjax chex distrax equinox evosax flax haiku numpyro optax rlax".split()
DISTRIBUTIONS = {"haiku": "dm-haiku"}
ROOT = Path(__file__).resolve().parent.parent
EXPLAINED = ROOT / "tests" / "semantics" / "library_facts.toml"
TARGET = ROOT / "jaxlint" / "semantics" / "libraries" / "read.py"

# Parts of a library that are public by name only: its own tests, and wrappers of another library.
SKIPPED = re.compile(
    r"(^|\.)(_.*|tests?|testing|test_util|conftest|examples|.*_test|compat|deprecated|contrib\.tfp)(\.|$)"
)
# What a key may be called: a parameter of such a name that nothing is done with is a key that is ignored.
KEY_NAMES = frozenset("key keys rng rngs rng_key seed prng_key prng random_key rng_seed key_or_seed".split())
MENTIONS = re.compile("key|rng|seed|rand")


@dataclass(frozen=True)
class Fact:
    """What the source does with one parameter of one public callable.

    ``key`` is a word of the list above or "" for a parameter that is no key; ``traced`` are the transforms that a
    callable parameter is called under, ``called`` whether it is called.  ``sees`` says
    what arguments may be at its calls: words of SEES, and "unknown" of calls under what no table of transforms has,
    or of such as are not seen.
    """

    name: str
    parameter: str
    position: int | None
    is_method: bool
    key: str
    called: bool
    traced: tuple[str, ...]
    undecided: str = ""
    sees: tuple[str, ...] = ()


# -- the public callables of a library ---------------------------------------------------------------------------------


def modules(library: str) -> Iterator[types.ModuleType]:
    """Yield the public modules that can be imported."""
    root = importlib.import_module(library)
    yield root
    for info in pkgutil.walk_packages(root.__path__, library + ".", onerror=lambda name: None):
        if SKIPPED.search(info.name.partition(".")[2]):
            continue
        try:
            module = importlib.import_module(info.name)
        except Exception:  # an optional dependency that is not here
            continue
        parent, _, last = info.name.rpartition(".")
        if getattr(sys.modules[parent], last, None) is module:  # no function of the same name hides it
            yield module


def public(library: str) -> dict[str, Any]:
    """Return the library's own callables by their shortest public name."""
    spelled: dict[int, tuple[str, Any]] = {}
    for module in modules(library):
        for name in dir(module):
            found = None if name.startswith("_") else _attribute(module, name)
            if found is None or inspect.ismodule(found) or not callable(found):
                continue
            if (getattr(found, "__module__", None) or type(found).__module__).partition(".")[0] != library:
                continue
            full = f"{module.__name__}.{name}"
            held = spelled.get(id(found))
            if held is None or (full.count("."), len(full)) < (held[0].count("."), len(held[0])):
                spelled[id(found)] = full, found
    return dict(sorted(spelled.values(), key=lambda pair: pair[0]))


def _attribute(module: types.ModuleType, name: str) -> Any:
    try:
        return getattr(module, name)
    except Exception:  # a deprecated name that says so by raising
        return None


def methods(cls: type, library: str) -> Iterator[tuple[str, Any]]:
    """Yield the public methods of a class, inherited ones too, that the library itself defines in Python."""
    for name in dir(cls):
        if (name.startswith("_") and name != "__call__") or name in getattr(cls, "__dataclass_fields__", ()):
            continue
        found = inspect.getattr_static(cls, name, None)
        function = bare(found)
        if isinstance(found, property) or not isinstance(function, types.FunctionType):
            continue
        if (function.__module__ or "").partition(".")[0] == library and node_of(function) is not None:
            yield name, found


# -- what their source does ------------------------------------------------------------------------------------------


def facts(library: str, wanted: Iterable[str] | None = None) -> list[Fact]:
    """Read the public callables of an installed library, or those ``wanted`` of them."""
    reader = Reader(library)
    chosen = None if wanted is None else frozenset(wanted)
    owners = None if chosen is None else chosen | {name.rpartition(".")[0] for name in chosen}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, found in public(library).items():
            if owners is None or name in owners:
                reader.read(name, found, chosen)
    return reader.facts


class Reader:
    """Collects the facts of one library."""

    def __init__(self, library: str) -> None:
        self.library = library
        self.reading = Reading(library)
        self.facts: list[Fact] = []
        self.dull: set[Any] = set()
        """Methods without a key in the first class that has them: they are not read again in each subclass."""

    def read(self, name: str, found: Any, chosen: frozenset[str] | None) -> None:
        """Read a callable, and the methods of a class or of what a factory returns."""
        if chosen is None or name in chosen:
            self._add(name, self.reading.of(found), positions(found), is_method=False)
        if not inspect.isclass(found):
            for attribute, function in self.reading.product(found).items():
                full = f"{name}.{attribute}"
                if chosen is None or full in chosen:
                    self._add(full, self.reading.of_value(function), places_of(function), is_method=True)
            return
        for method, function in methods(found, self.library):
            plain = bare(function)
            full = f"{name}.{method}"
            if plain in self.dull or not MENTIONS.search(ast.unparse(node_of(plain))):
                continue
            if chosen is not None and full not in chosen:
                continue
            is_static = isinstance(function, staticmethod)
            effects = self.reading.of(plain, None if is_static else found)
            if not self._add(full, effects, positions(plain, bound=not is_static), is_method=True):
                self.dull.add(plain)

    def _add(
        self, name: str, effects: Mapping[str, set[Effect]], places: Mapping[str, int | None], is_method: bool
    ) -> bool:
        """Keep what is said of keys and callables; whether there is a key, or what is called like one."""
        has_key = False
        for parameter, position in places.items():
            found = effects.get(parameter, set())
            key, undecided = key_verdict(parameter, found, self.reading.cut)
            calls = [effect for effect in found if effect.kind == "called" and not effect.part]
            traced = {under[-1] for effect in calls if (under := [one for one in effect.under if one != "later"])}
            elsewhere = self.reading.cut or any(effect.kind in ("hands", "lost", "stores") for effect in found)
            called = bool(traced) or (bool(calls) and not elsewhere)
            if key or (called and not is_method):
                sees = {seen_under(effect.under) for effect in calls} | ({"unknown"} if elsewhere else set())
                words = tuple(sorted(traced)), undecided, tuple(sorted(sees))
                self.facts.append(Fact(name, parameter, position, is_method, key, called, *words))
            has_key = has_key or bool(key)
        return has_key


# What a function sees of an array, from the least to the most that a transform does to it.
SEES = ("values", "tracers that know their values", "abstract tracers")
SEEN = {
    Abstracts.NOTHING: SEES[0],
    Abstracts.DIFFERENTIATED: SEES[1],
    Abstracts.MAPPED: SEES[2],
    Abstracts.ARRAYS: SEES[2],
    Abstracts.NODES: SEES[2],
    Abstracts.ALL: SEES[2],
}


def seen_under(under: Iterable[str]) -> str:
    """What a function that is called under these transforms may see of an array."""
    words = {SEEN[row.abstracts] for name in under if (row := transforms.WRAPPERS.get(name) or OPERATIONS.get(name))}
    if SEES[2] not in words and any(name.startswith("jax: ") for name in under):
        return "unknown"
    return max(words, key=SEES.index, default=SEES[0])


OPERATIONS = transforms.HIGHER_ORDER


def key_verdict(parameter: str, effects: set[Effect], cut: bool) -> tuple[str, str]:
    """What is done to a key, in a word, and who decides where the source does not; no word for what is no key."""
    draws = [effect for effect in effects if effect.kind in ("draw", "split")]
    whole = [effect for effect in draws if not effect.part]
    if any(not effect.conditional and "later" not in effect.under for effect in whole):
        return "draws", ""
    if whole:
        return "may draw", ""
    if any(effect.kind == "fold" and not effect.part for effect in effects):
        return "folds", ""
    if parameter not in KEY_NAMES:
        return "", ""
    if any(effect.part == "item" for effect in draws):
        return "may draw", ""
    handed = sorted({effect.callee for effect in effects if effect.kind in ("hands", "lost", "called")})
    if handed or cut:
        return "hands", ", ".join(handed)
    if any(effect.kind in ("stores", "returns") for effect in effects):
        return "keeps", ""
    return ("seeds", "") if any(effect.kind == "create" for effect in effects) else ("ignores", "")


def positions(found: Any, bound: bool = False) -> dict[str, int | None]:
    """The parameters that a caller passes, with their positions."""
    function = bare(found)
    try:
        own = list(
            inspect.signature(function if isinstance(function, types.FunctionType) else found).parameters.values()
        )
    except (TypeError, ValueError):
        return {}
    places = enumerate(own[bound:])
    several = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return {one.name: None if one.kind is one.KEYWORD_ONLY else at for at, one in places if one.kind not in several}


# -- the tables --------------------------------------------------------------------------------------------------------

BY_HAND: tuple[Library, ...] = tuple(library for library in LIBRARIES if library not in written.LIBRARIES)


def of_tables(field: str, tables: Iterable[Library] = BY_HAND) -> dict[str, Any]:
    """One field of the given tables under every spelling, with None for the entries of a plain set."""
    found: dict[str, Any] = {}
    for library in tables:
        entries = getattr(library, field)
        for name in entries:
            value = entries[name] if isinstance(entries, Mapping) else None
            found.update(dict.fromkeys(spellings(name, library.aliases), value))
    return found


def told(use: KeyUse, fact: Fact) -> bool:
    """Whether a table's entry is about this parameter."""
    return any(
        keyword == fact.parameter or position == fact.position is not None for position, keyword in use.arguments
    )


def differences(found: Iterable[Fact], tables: Iterable[Library] = BY_HAND) -> Iterator[tuple[Fact, str, str]]:
    """Yield what the tables say otherwise than the source: the fact, what the table says, what the source does.

    What the source leaves open is no difference, nor is a callable that the tables do not know.
    """
    tables = tuple(tables)
    uses = {**of_tables("key_uses", tables), **of_tables("key_methods", tables)}
    never = of_tables("never_keys", tables)
    callables = {**of_tables("wrappers", tables), **of_tables("higher_order", tables)}
    for fact in found:
        use = uses.get(fact.name)
        if use is not None and fact.key and told(use, fact) and use.effect is not KeyEffect.INSPECT:
            wrong = fact.key == "ignores" or (use.sure and fact.key in ("folds", "seeds", "keeps"))
            if use.effect is KeyEffect.FOLD:
                if wrong or fact.key in ("draws", "may draw"):
                    yield fact, "folds", fact.key
            elif wrong or (not use.sure and fact.key == "folds"):
                yield fact, "draws" if use.sure else "may draw", fact.key
        elif use is not None and fact.key in ("draws", "may draw") and fact.parameter in KEY_NAMES - ALSO_NAMED:
            yield fact, "looks at other parameters", fact.key
        if fact.name in never and fact.key in ("draws", "may draw"):
            yield fact, "never draws", fact.key
        if fact.called and (row := differing_callable(fact, callables.get(fact.name))):
            yield fact, *row


def differing_callable(fact: Fact, entry: Wrapper | HigherOrder | None) -> tuple[str, str] | None:
    """What a table says of a function's arguments, and what the source gives it, where these cannot both be."""
    places = () if entry is None else [entry.function] if isinstance(entry, Wrapper) else entry.callables
    strongest = max((word for word in fact.sees if word != "unknown"), key=SEES.index, default=SEES[0])
    if entry is None or (fact.position, fact.parameter) not in places:
        return None if strongest == SEES[0] else ("does not know it", f"sees {strongest}")
    said = SEEN[entry.abstracts]
    if said in fact.sees or "unknown" in fact.sees or (len(fact.sees) > 1 and SEES.index(said) < SEES.index(strongest)):
        return None
    return f"sees {said}", f"sees {strongest}"


# Parameters that are one key in some calls, and in others hold keys or are a stream of them.
ALSO_NAMED = frozenset(("rngs", "keys"))


def explained() -> list[dict[str, str]]:
    """The differences that somebody has looked at; a ``*`` in a row stands for anything."""
    return list(tomllib.loads(EXPLAINED.read_text(encoding="utf-8"))["difference"])


def explanation(difference: tuple[Fact, str, str], rows: Iterable[dict[str, str]]) -> dict[str, str] | None:
    """The row that explains a difference."""
    fact, says, does = difference
    found = {"name": fact.name, "parameter": fact.parameter, "table": says, "source": does}
    agreeing = (row for row in rows if all(fnmatch.fnmatchcase(found[word], row[word]) for word in found))
    return next(agreeing, None)


# -- what no table knows -------------------------------------------------------------------------------------------


# Read wrongly: the function that it is made of is in a tree, and the reader loses it there.
MISREAD = frozenset(("haiku.multi_transform.apply",))


@dataclass(frozen=True)
class Group:
    """Callables of one library that do the same with the same parameter."""

    table: str
    sure: bool
    position: int | None
    parameter: str


def unknown_to_tables(found: Iterable[Fact]) -> dict[Group, list[str]]:
    """What the source decides of keys and no table written by hand mentions, in groups."""
    names = {**of_tables("key_uses"), **of_tables("key_methods")}
    for field in ("never_keys", "fresh_keys", "implicit_rng", "streams", "wrappers"):
        names |= of_tables(field)
    by_name: dict[str, list[Fact]] = collections.defaultdict(list)
    for fact in found:
        if fact.key:
            by_name[fact.name].append(fact)
    groups: dict[Group, list[str]] = collections.defaultdict(list)
    for name, its in by_name.items():
        if name in names or name in MISREAD or any(fact.parameter in ALSO_NAMED for fact in its):
            continue
        drawing = [fact for fact in its if fact.key in ("draws", "may draw")]
        if len(drawing) > 1:  # a shape that gets behind a key in some tuple is no key
            drawing = [fact for fact in drawing if fact.parameter in KEY_NAMES]
        if len(drawing) == 1:
            fact = drawing[0]
            table = "key_methods" if fact.is_method else "key_uses"
            groups[Group(table, fact.key == "draws", fact.position, fact.parameter)].append(name)
        elif all(fact.key == "ignores" for fact in its):
            groups[Group("never_keys", True, None, "")].append(name)
    return groups


HEADER = '''"""What public functions of libraries do with the keys they are given, as read from the libraries' source.

Written by ``python benchmarks/library_facts.py --write``: what that script finds certain and no table beside this one
says.  A table written by hand goes before it.  Positions in ``key_methods`` do not count ``self``.
"""

from __future__ import annotations

from jaxlint.semantics.model import KeyEffect, KeyUse, Library, names


def _use(position: int | None, keyword: str, sure: bool) -> KeyUse:
    return KeyUse(KeyEffect.DRAW, ((position, keyword),), sure=sure)

'''


def source_of(library: str, groups: Mapping[Group, list[str]]) -> str:
    """The Python source of one library's entry."""
    tables: dict[str, list[str]] = collections.defaultdict(list)
    for group, found in sorted(groups.items(), key=lambda pair: repr(pair[0])):
        words = " ".join(name.removeprefix(library + ".") for name in sorted(found))
        text = textwrap.indent("\n".join(textwrap.wrap(words, 104, break_on_hyphens=False)), " " * 12)
        called = f'names("{library}", """\n{text}\n""")'
        if group.table == "never_keys":
            tables[group.table].append(called)
        else:
            use = f'_use({group.position}, "{group.parameter}", sure={group.sure})'
            tables[group.table].append(f"**dict.fromkeys({called}, {use})")
    rows = {name: rows[0] if name == "never_keys" else f"{{{', '.join(rows)}}}" for name, rows in tables.items()}
    body = ", ".join(f"{name}={row}" for name, row in rows.items())
    return f'Library(name="{library}", {body})'


def version_of(library: str) -> str:
    return importlib.metadata.version(DISTRIBUTIONS.get(library, library))


def write(found: Mapping[str, list[Fact]]) -> None:
    """Write the module of what no table knows; what was read of libraries that are not here stays."""
    old = TARGET.read_text(encoding="utf-8") if TARGET.exists() else ""
    blocks = {
        node.targets[0].id: ast.get_source_segment(old, node.value) or ""
        for node in ast.parse(old).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and isinstance(node.value, ast.Call)
    }
    for library, its in found.items():
        groups = unknown_to_tables(its)
        if groups:
            blocks[library.upper()] = source_of(library, groups)
    versions = {**written.VERSIONS, **{library: version_of(library) for library in found}}
    parts = [f"{name} = {block}\n" for name, block in sorted(blocks.items())]
    shown = "".join(f'    "{name}": "{version}",\n' for name, version in sorted(versions.items()))
    tail = f"VERSIONS = {{\n{shown}}}\n\nLIBRARIES: tuple[Library, ...] = ({', '.join(sorted(blocks))},)\n"
    TARGET.write_text(HEADER + "\n" + "\n".join(parts) + "\n" + tail, encoding="utf-8")
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", str(TARGET)], check=True)


# -- the report ------------------------------------------------------------------------------------------------------


def report(library: str, found: list[Fact], rows: list[dict[str, str]]) -> int:
    """Print one library's counts and its differences; return how many of these nobody has explained."""
    uses = {**of_tables("key_uses"), **of_tables("key_methods")}
    told_names = uses.keys() | of_tables("never_keys").keys()
    differing = list(differences(found))
    keys = [fact for fact in found if fact.key]
    counts = collections.Counter(fact.key for fact in keys)
    open_ones = [fact for fact in keys if fact.key in ("hands", "keeps", "folds", "seeds")]
    in_tables = {fact.name for fact in keys if fact.name in told_names}
    print(
        f"{library} {version_of(library)}: {len(keys)} keys of {len({fact.name for fact in keys})} callables "
        f"({', '.join(f'{word} {number}' for word, number in counts.most_common())}); "
        f"{sum(fact.called for fact in found)} callable parameters called, "
        f"{sum(bool(fact.traced) for fact in found)} traced; "
        f"in hand-written tables {len(in_tables)}, differing {len(differing)}, left open {len(open_ones)}"
    )
    new = [difference for difference in differing if explanation(difference, rows) is None]
    for fact, says, does in new:
        print(f"  {fact.name}({fact.parameter}): the table says `{says}`, the source `{does}`")
    return len(new)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("libraries", nargs="*", metavar="LIBRARY", default=NAMES)
    parser.add_argument("--out", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    found: dict[str, list[Fact]] = {}
    unexplained = 0
    rows = explained()
    for library in options.libraries:
        if importlib.util.find_spec(library) is None:
            print(f"{library}: not installed, not compared")
            continue
        started = time.perf_counter()
        found[library] = facts(library)
        unexplained += report(library, found[library], rows)
        print(f"  read in {time.perf_counter() - started:.0f} s", flush=True)
        if options.out:
            lines = (json.dumps(fact.__dict__) for fact in found[library])
            (options.out / f"{library}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    if options.write:
        write(found)
    return bool(unexplained)


if __name__ == "__main__":
    sys.exit(main())
