"""Three opinions on one program: what plain JAX does, what the oracle saw, and what jaxlint says without running it.

    python tests/dynamic/differential.py --seed 0 --count 2000

prints the disagreements, each made small by deleting what does not matter.  `LIMITS` are those that are known and
stay, with their reasons; a disagreement that none of them excuses is a fault in the engine, the oracle or a table.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gc
import io
import itertools
import linecache
import os
import re
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
from jax._src.lax.control_flow import loops
from jax.experimental.key_reuse import _core as key_reuse

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))

from jaxlint.api import Settings, lint_source
from jaxlint.dynamic import effects, equations, oracle, places, private, probes, twice
from jaxlint.dynamic.observations import Kind, Observation, Origin, Outcome, Result, Span, Traced
from jaxlint.dynamic.plan import span_of
from jaxlint.dynamic.recording import RECORDER
from jaxlint.dynamic.verdicts import EXPECTED, Judge, is_inside, is_there
from jaxlint.vocabulary.findings import Certainty, Finding, Location, Proof
from tests.dynamic.generated_programs import program
from tests.dynamic.shrinking import Elsewhere, shrunk

_QUESTIONS = {Kind.BOOL, Kind.INT, Kind.FLOAT, Kind.COMPLEX, Kind.INDEX, Kind.ARRAY, Kind.CONCRETE, Kind.ITEM_STORE}
_CLAIMED = _QUESTIONS | {
    Kind.PRINT, Kind.TIME, Kind.RANDOM, Kind.GLOBAL_WRITE, Kind.OUTER_WRITE, Kind.KEY_REUSE, Kind.CONSTANT_KEY,
}  # fmt: skip
"""What rules that are on by default are about."""
_REUSES = {Kind.KEY_REUSE, Kind.SHARED_KEY}
_KEY_RULES = {code for code, expected in EXPECTED.items() if _REUSES & expected.kinds}
_SPENDING = ("random_split", "random_bits", "random_gamma")
_MODULE = "differential_program"


@dataclass(frozen=True)
class Disagreement:
    """Who says what of which line, the text of that line, and the lines that belong to it."""

    between: str  # "oracle misses", "oracle invents", "static misses", "static alarms"
    what: str  # an exception, a kind or a rule
    line: int
    text: str
    detail: str = ""
    related: tuple[int, ...] = ()

    @property
    def label(self) -> str:
        return f"{self.between} {self.what}"


@dataclass
class Plain:
    """What JAX does by itself: its exception and line, the outer variables that changed, whether keys are reused."""

    error: str = ""
    line: int = 0
    waiting: list[int] = field(default_factory=list)  # the lines of the calls that the exception ended
    changed: set[str] = field(default_factory=set)
    printed: str = ""
    reuses: bool = False
    drops_draws: bool = False  # under `grad` JAX leaves out what nothing needs, or does it once before a loop
    draws: list[Draw] = field(default_factory=list)
    passes: dict[int, list[int]] = field(default_factory=dict)  # by the line of a Python loop, each time it was run


@dataclass(frozen=True)
class Draw:
    """A use of a key while the program ran: the very object, the primitive that uses it, the lines of the program that
    were running, and whether they were the body of a traced loop."""

    key: Any
    primitive: str
    lines: tuple[int, ...]
    looped: bool


@dataclass
class Compared:
    """One program with the three opinions."""

    text: str
    plain: Plain
    traced: Traced
    findings: list[Finding]
    disagreements: list[Disagreement]


@dataclass(frozen=True)
class Limit:
    """Disagreements that are known and stay: those with this label of which ``holds`` is true."""

    label: str
    reason: str
    holds: Callable[[Disagreement, Compared], bool]

    def excuses(self, one: Disagreement, compared: Compared) -> bool:
        return one.label == self.label and self.holds(one, compared)


def _stores_no_array(one: Disagreement, compared: Compared) -> bool:
    """``TABLE['seen'] = n``: the same at every call, as far as the program's text goes."""
    return one.text.startswith(("TABLE['seen'] = ", "setattr(MODEL, 'count', "))


def _misses_equal_number(one: Disagreement, compared: Compared) -> bool:
    """Whether jaxlint finds it where the numbers that are folded into keys are written out, and equal."""
    return any(_is_found(one, _with_folded(compared.text, number)) for number in (0, 7))


def _is_taken_by_nobody(one: Disagreement, compared: Compared) -> bool:
    """Whether jaxlint finds it where somebody draws from each key that is folded, and from the first of each split."""
    tree = _Drawing().visit(ast.parse(_with_folded(compared.text, 0)))
    return _is_found(one, ast.unparse(ast.fix_missing_locations(tree)))


class _Drawing(ast.NodeTransformer):
    """Draws from what is folded or split in the very expression."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        template = _DRAWN.get(ast.unparse(node.func))
        if template is None:
            return node
        drawing = ast.parse(template, mode="eval").body
        assert isinstance(drawing, ast.Subscript)
        assert isinstance(drawing.value, ast.Tuple)
        named = drawing.value.elts[0]
        assert isinstance(named, ast.NamedExpr)
        named.value = node
        return drawing


_DRAWN = {
    "jax.random.fold_in": "(drawn := key, print(jax.random.normal(drawn)))[0]",
    "jax.random.split": "(drawn := keys, print(jax.random.normal(drawn[0])))[0]",
}


def _fears_small_number(one: Disagreement, compared: Compared) -> bool:
    """Whether jaxlint is silent where the numbers that are folded into keys are written out, and large."""
    findings = lint_source(_with_folded(compared.text, 7_000), settings=Settings())
    return not any(finding.code == one.what and finding.location.line == one.line for finding in findings)


def _with_folded(text: str, number: int) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "jax.random.fold_in":
            if not isinstance(node.args[1], ast.Constant):
                node.args[1] = ast.Constant(number)
    return ast.unparse(tree)


def _depends_on_handler(one: Disagreement, compared: Compared) -> bool:
    """Whether jaxlint finds it where a handler's part, which a name that a dict lacks leads to, is all there is."""
    return _is_found(one, _WITHOUT_NAME.sub(r"\1raise KeyError", compared.text))


_WITHOUT_NAME = re.compile(r"^( *)\w+ = .*\['other'\]$", re.MULTILINE)


def _depends_on_static(one: Disagreement, compared: Compared) -> bool:
    """Whether jaxlint finds it once it knows the static arguments."""
    return _is_found(one, compared.text, "n, flag, opt = 2, True, None")


def _is_told_at_the_split(one: Disagreement, compared: Compared) -> bool:
    """Whether jaxlint says of a split that it gives all lanes the same keys."""
    return any(finding.code == "JAX405" and "random.split" in finding.message for finding in compared.findings)


def _is_caught_by_a_caller(one: Disagreement, compared: Compared) -> bool:
    """Whether it does happen, and only a function further out has a handler for it."""
    caught = any(seen.handled and seen.at.line == one.line for seen in compared.traced.observations)
    return caught and not _in_try(one.line, compared.text.splitlines())


def _is_argument(one: Disagreement, compared: Compared) -> bool:
    """Whether jaxlint finds it where the dict is made in the function that it is an argument of."""
    return _is_found(one, compared.text, "params = {'w': params['w'], 'b': params['b']}")


def _is_found(one: Disagreement, text: str, first: str = "") -> bool:
    """Whether jaxlint says what it missed of another text; ``first``: with this as the first line of ``main``."""
    lines, wanted = text.splitlines(), {one.line, *one.related}
    if first:
        entry = next(number for number, line in enumerate(lines, 1) if line.startswith("def main("))
        lines.insert(entry, f"    {first}")
        wanted = {line + (line > entry) for line in wanted}
    least = Certainty.POSSIBLE if one.what in (_REUSE, _LANES) else Certainty.LIKELY  # a draw may be read by nobody
    findings = lint_source("\n".join(lines), settings=Settings(certainty=least))
    kind = Kind(one.what.removesuffix(" of a tracer"))
    about = [finding for finding in findings if kind in getattr(EXPECTED.get(finding.code), "kinds", ())]
    return any(wanted & {*range(at.line, at.end_line + 1)} for finding in about for at in _places(finding))


_VALUES = (*(kind.value for kind in _QUESTIONS), Kind.ERROR.value)
_REUSE, _CONSTANT, _OUTER = Kind.KEY_REUSE.value, Kind.CONSTANT_KEY.value, Kind.OUTER_WRITE.value
_LANES = Kind.SHARED_KEY.value
_EFFECTS = (Kind.PRINT.value, Kind.TIME.value, Kind.RANDOM.value, Kind.GLOBAL_WRITE.value, f"{_OUTER} of a tracer")
LIMITS = [
    *(Limit(f"{between} {what}", reason, holds) for between, kinds, reason, holds in (
        ("static misses", (_OUTER,), "storing the same Python value again is as good as storing it once",
         _stores_no_array),
        ("static misses", (_OUTER,), "the dict is JAX's copy of an argument: it is what JAX106 looks at", _is_argument),
        ("static misses", (_REUSE, _LANES), "whether unknown numbers are equal is not known", _misses_equal_number),
        ("static misses", (_REUSE,), "nobody takes both the folded key and the equal child", _is_taken_by_nobody),
        ("static misses", (_CONSTANT,), "the number that is folded in may be another at each call",
         _misses_equal_number),
        ("static alarms", ("JAX404",), "the number is not known; here it is no child's", _fears_small_number),
        ("static misses", (_LANES,), "jaxlint speaks of the split that gives all lanes the same keys",
         _is_told_at_the_split),
        ("static misses", (*_VALUES, *_EFFECTS, _OUTER, _REUSE, _LANES),
         "it depends on a static argument which code runs", _depends_on_static),
        ("static misses", (*_VALUES, *_EFFECTS), "that a dict lacks a name, and so what a handler does, is not known",
         _depends_on_handler),
        ("static alarms", EXPECTED, "whoever else calls the function has no handler", _is_caught_by_a_caller),
    ) for what in kinds),
]  # fmt: skip


def arguments(typed_keys: bool) -> dict[str, Any]:
    """The inputs of ``main``."""
    array = jax.ShapeDtypeStruct
    key = jax.eval_shape(lambda: jax.random.key(0) if typed_keys else jax.random.PRNGKey(0))
    vec, scal = array((3,), jnp.float32), array((), jnp.float32)
    traced = {"x": vec, "s": scal, "i": array((), jnp.int32), "params": {"w": vec, "b": scal}, "key": key}
    return traced | {"n": 2, "flag": True, "opt": None}


def compare(text: str, folder: str, typed_keys: bool = False, with_jax: bool = True) -> Compared:
    """Asks all three about a program, or two of them."""
    path = os.path.join(folder, f"{_MODULE}.py")
    Path(path).write_text(text, encoding="utf-8")
    linecache.checkcache(path)
    _forget()
    found_in_text = lint_source(text, settings=Settings(certainty=Certainty.POSSIBLE))
    findings = [_in_file(finding, path) for finding in found_in_text]
    plain = _plain(text, path, typed_keys) if with_jax else Plain()
    traced = _watched(text, path, findings, typed_keys)
    lines = text.splitlines()

    def found() -> Iterator[Disagreement]:
        if with_jax:
            yield from _oracle_against_jax(traced, plain, lines)
        yield from _static_against_oracle(findings, traced, plain, lines)

    return Compared(text, plain, traced, findings, [*dict.fromkeys(found())])


def _in_file(finding: Finding, path: str) -> Finding:
    """A finding of a text as one of the file that the text is in."""
    related = tuple(replace(each, location=replace(each.location, path=path)) for each in finding.related)
    return replace(finding, location=replace(finding.location, path=path), related=related)


def _forget() -> None:
    """The caches of the oracle know a file by its path, and here one path has many texts."""
    for module in (places, twice):
        for cached in vars(module).values():
            if hasattr(cached, "cache_clear"):
                cached.cache_clear()


# The three opinions


def _plain(text: str, path: str, typed_keys: bool) -> Plain:
    jax.clear_caches()
    result, output = Plain(), io.StringIO()
    counted = ast.fix_missing_locations(_CountPasses().visit(ast.parse(text)))
    module = _module(compile(counted, path, "exec"), path, **{_CountPasses.NOTE: _noting_passes(result.passes)})
    before = _state(module)
    given = arguments(typed_keys)
    call, avals = oracle._abstracted(module.main, [*given.values()], {})
    try:
        with contextlib.redirect_stdout(output), _noting_draws(path) as result.draws:
            closed = jax.make_jaxpr(call)(*avals)
    except Exception as error:
        ours = [line for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_code.co_filename == path]
        result.error, result.line, result.waiting = type(error).__name__, ours[-1] if ours else 0, ours[:-1]
    else:
        result.reuses = typed_keys and _reuses(closed)
        uses = equations.walk(closed, places.Sources([path]), lambda equation, _: equation.primitive.name in _SPENDING)
        inside = {*_in_loops(closed)}
        left = {(each.primitive.name, stack.at.line, id(each) in inside) for each, stack in uses if stack.at}
        result.drops_draws = any((draw.primitive, draw.lines[0], draw.looped) not in left for draw in result.draws)
    after = _state(module)
    result.changed = {name for name, value in before.items() if after[name] != value}
    result.printed = output.getvalue()
    return result


class _CountPasses(ast.NodeTransformer):
    """Makes a program tell when one of its Python loops starts, and when a pass of it does."""

    NOTE = "_note_loop"

    def visit_For(self, node: ast.For) -> list[ast.stmt]:
        return self._counted(node)

    def visit_While(self, node: ast.While) -> list[ast.stmt]:
        return self._counted(node)

    def _counted(self, node: ast.For | ast.While) -> list[ast.stmt]:
        self.generic_visit(node)
        node.body.insert(0, self._note(node, node.body[0], passes=1))
        return [self._note(node, node, passes=0), node]

    def _note(self, loop: ast.stmt, place: ast.stmt, passes: int) -> ast.stmt:
        return ast.copy_location(ast.parse(f"{self.NOTE}({loop.lineno}, {passes})").body[0], place)


def _noting_passes(passes: dict[int, list[int]]) -> Callable[[int, int], None]:
    def note(loop: int, number: int) -> None:
        if number:
            passes[loop][-1] += 1
        else:
            passes.setdefault(loop, []).append(0)

    return note


@contextlib.contextmanager
def _noting_draws(path: str) -> Iterator[list[Draw]]:
    """What the program does with keys, while it runs."""
    draws: list[Draw] = []

    def noting(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        primitive = "random_split" if name == "split" else "random_bits"

        def noted(key: Any, *args: Any, **kwargs: Any) -> Any:
            running = [*places.frames(sys._getframe(1))]
            frames = [frame for frame in running if frame.f_code.co_filename == path]
            if frames and frames[0] is sys._getframe(1):
                looped = any(frame.f_code.co_filename == loops.__file__ for frame in running)
                draws.append(Draw(key, primitive, tuple(frame.f_lineno for frame in frames), looped))
            return function(key, *args, **kwargs)

        return noted

    originals = {name: getattr(jax.random, name) for name in ("split", "normal", "uniform", "randint")}
    try:
        for name, function in originals.items():
            setattr(jax.random, name, noting(name, function))
        yield draws
    finally:
        for name, function in originals.items():
            setattr(jax.random, name, function)


def _in_loops(jaxpr: Any, inside: bool = False) -> Iterator[int]:
    """The identities of the equations in traced loops."""
    for equation in private.opened(jaxpr).eqns:
        if inside:
            yield id(equation)
        for _, inner in private.inner_jaxprs(equation):
            yield from _in_loops(inner, inside or equation.primitive.name in ("scan", "while"))


def _reuses(closed: Any) -> bool:
    try:
        key_reuse.check_key_reuse_jaxpr(closed.jaxpr)
    except jax.errors.KeyReuseError:
        return True
    return False


def _watched(text: str, path: str, findings: list[Finding], typed_keys: bool) -> Traced:
    RECORDER.know([path])
    watcher = probes.Probes(RECORDER)
    setattr(probes.builtins, probes._NAME, watcher)
    code = probes.compiled(path, text, [span_of(place) for finding in findings for place in _places(finding)], watcher)
    with contextlib.redirect_stdout(io.StringIO()):
        module = _module(code, path)
        if not hasattr(module.main, "lower"):
            raise ValueError("main is not jitted")
        given = arguments(typed_keys)
        return oracle.observe(
            module.main,
            [*given.values()],
            {},
            module=_MODULE,
            limits=oracle.Limits(seconds=600.0),  # on a busy machine, too
            qualname="main",
            origin=Origin.RECORDED,
            inputs="main(...)",
            sources=[path],
        )


def _module(code: Any, path: str, **names: Any) -> ModuleType:
    module = sys.modules[_MODULE] = ModuleType(_MODULE)
    vars(module).update(names, __file__=path)
    exec(code, module.__dict__)
    return module


def _state(module: ModuleType) -> dict[str, str]:
    """The containers and the object that the program's functions may write to, as text."""
    texts = {
        name: repr(getattr(module, name)) for name in ("LOG", "TABLE", "SEEN", "COUNT", "LAST") if hasattr(module, name)
    }
    return texts | ({"MODEL": repr(vars(module.MODEL))} if hasattr(module, "MODEL") else {})


# Who disagrees with whom


def _oracle_against_jax(traced: Traced, plain: Plain, lines: list[str]) -> Iterator[Disagreement]:
    sound = [seen for seen in traced.observations if not seen.assumptions]
    raising = [seen for seen in sound if seen.exception]
    if (
        plain.error
        and plain.line
        and not any(seen.at.line <= plain.line <= max(seen.at.end_line, seen.at.line) for seen in raising)
    ):
        saw = f"the oracle saw {[(seen.kind.value, seen.at.line) for seen in sound]}"
        yield Disagreement("oracle misses", plain.error, plain.line, lines[plain.line - 1].strip(), saw)
    if not plain.error:
        for seen in raising:
            if not (seen.handled or _in_try(seen.at.line, lines)):
                text = lines[seen.at.line - 1].strip()
                yield Disagreement("oracle invents", seen.kind.value, seen.at.line, text, seen.detail)
    writes = {Kind.GLOBAL_WRITE, Kind.OUTER_WRITE}
    if plain.changed and not any(seen.kind in writes for seen in sound):
        yield Disagreement("oracle misses", "write", 0, "", f"changed: {sorted(plain.changed)}")
    if any(word in plain.printed for word in ("Tracer", "Traced")) and not any(
        seen.kind in (Kind.PRINT, Kind.FORMAT) for seen in sound
    ):
        yield Disagreement("oracle misses", "print", 0, "", plain.printed[:100])
    if plain.reuses and not any(seen.kind is Kind.KEY_REUSE for seen in sound):
        yield Disagreement("oracle misses", "key-reuse", 0, "", "jax.debug_key_reuse objects")


def _in_try(line: int, lines: list[str]) -> bool:
    return bool(_around(line, lines, ast.Try))


def _around(line: int, lines: list[str], *kinds: type[ast.stmt]) -> list[int]:
    """The lines of the statements of some kinds that have a line in their body."""
    found: list[Any] = [node for node in ast.walk(ast.parse("\n".join(lines))) if isinstance(node, kinds)]
    return [node.lineno for node in found if node.body[0].lineno <= line <= (node.body[-1].end_lineno or 0)]


def _static_against_oracle(
    findings: list[Finding], traced: Traced, plain: Plain, lines: list[str]
) -> Iterator[Disagreement]:
    judge = Judge([Result(_MODULE, "main", Outcome.DONE, traced=[traced])], jax.__version__)
    verdicts = [(finding, judge.verdict(finding, [(_MODULE, "main")])) for finding in findings]
    asked = {seen.kind for seen in traced.observations} & _QUESTIONS
    told = _told(findings, traced)
    for finding, verdict in verdicts:
        if finding.certainty is Certainty.POSSIBLE:
            continue
        if finding.location.line in plain.waiting:
            continue  # what was called there has not come back
        refuted = verdict.state is Proof.REFUTED_FOR
        if refuted or (
            finding.code in _KEY_RULES
            and finding not in told
            and not asked
            and _key_ran(finding, traced, plain, verdict.state, lines)
        ):
            line = finding.location.line
            related = tuple(place.line for place in _places(finding))
            yield Disagreement("static alarms", finding.code, line, lines[line - 1].strip(), finding.message, related)
    about_keys = [place for finding in findings if finding.code in _KEY_RULES for place in _places(finding)]
    constant = any(finding.code == "JAX406" for finding in findings)
    for _, seen in judge.unclaimed():
        if seen.assumptions or not _is_claimed(seen):
            continue
        if seen.kind in _REUSES and any(is_there(at, place) for at in _spans(seen) for place in about_keys):
            continue  # a key is reported once, at one of the places where it is used again
        if seen.kind is Kind.CONSTANT_KEY and constant:
            continue  # at the draw, not where the key is made
        if seen.kind in _QUESTIONS and _in_try(seen.at.line, lines):
            continue  # the program expects it
        leak = " of a tracer" if seen.detail.endswith("leaves a tracer there") else ""
        what, text = seen.kind.value + leak, lines[seen.at.line - 1].strip()
        related = tuple(at.line for at, _ in seen.related)
        yield Disagreement("static misses", what, seen.at.line, text, seen.detail, related)


def _spans(seen: Observation) -> list[Span]:
    return [seen.at, *(at for at, _ in seen.related)]


def _places(finding: Finding) -> list[Location]:
    return [finding.location, *(related.location for related in finding.related)]


def _told(findings: list[Finding], traced: Traced) -> list[Finding]:
    """Those about keys that the oracle has seen used again.

    It speaks of a key once, at one of the places where it is used again, and jaxlint of each, with an earlier one."""
    spans = [at for seen in traced.observations if seen.kind in _REUSES for at in _spans(seen)]
    about_keys = [finding for finding in findings if finding.code in _KEY_RULES]
    told = [each for each in about_keys if any(is_there(at, place) for at in spans for place in _places(each))]
    for one in told:  # which grows
        told += [each for each in about_keys if each not in told and {*_places(each)} & {*_places(one)}]
    return told


def _key_ran(finding: Finding, traced: Traced, plain: Plain, state: Proof, lines: list[str]) -> bool:
    """Whether all uses of a key that is said to be reused ran, under a trace that reached its end and shows nothing."""
    if state in (Proof.CONFIRMED, Proof.CONFIRMED_IF) or traced.error or plain.error or plain.drops_draws:
        return False
    if _was_spent_twice(finding, plain):
        return False
    loops = _around(finding.location.line, lines, ast.For, ast.While) if finding.code == "JAX403" else []
    if any(max(plain.passes.get(loop, [0])) < 2 for loop in loops):
        return False  # a Python loop that happens to run once uses nothing again
    return all(
        any(is_inside(visit.at, place) and visit.traced + visit.concrete for visit in traced.visits)
        for place in _places(finding)
    )


def _was_spent_twice(finding: Finding, plain: Plain) -> bool:
    """Whether Python used one key object at two of a finding's places, or twice at its only one."""
    wanted = [{*range(place.line, max(place.line, place.end_line) + 1)} for place in _places(finding)]
    return any(
        one.key is other.key
        and wanted[0] & {*one.lines}
        and any(lines & {*other.lines} for lines in wanted[1:] or wanted)
        for one, other in itertools.permutations(plain.draws, 2)
    )


def _is_claimed(seen: Observation) -> bool:
    return seen.kind in _CLAIMED or seen.exception == "NonConcreteBooleanIndexError"


# Making a program small


def _still(text: str, wanted: Disagreement, folder: str, typed_keys: bool) -> bool:
    """Whether a program has a disagreement, and not because it is broken."""
    with_jax = not wanted.between.startswith("static") or wanted.what in _KEY_RULES
    found = compare(text, folder, typed_keys, with_jax)
    broken = {"NameError", "UnboundLocalError", "AttributeError", "KeyError", "TypeError"} - {wanted.what}
    return found.traced.error.partition(":")[0] not in broken and any(
        one.label == wanted.label for one in unexcused(found)
    )


# The command


def _begin() -> None:
    effects.install()
    _set_aside()


def run(start: int, count: int, folder: str) -> Iterator[tuple[int, Compared]]:
    _begin()
    try:
        for number, seed in enumerate(range(start, start + count), 1):
            yield seed, compare(program(seed), folder, typed_keys=bool(seed % 2))
            if number % 20 == 0:
                _set_aside()
    finally:
        effects.uninstall()


def _set_aside() -> None:
    """Freezes the modules, and the programs whose classes JAX keeps: to say who keeps a leaked tracer alive, JAX looks
    through all that is not frozen."""
    gc.collect()
    gc.freeze()


def unexcused(compared: Compared) -> list[Disagreement]:
    return [one for one in compared.disagreements if excuse(one, compared) is None]


def excuse(one: Disagreement, compared: Compared) -> Limit | None:
    """The limit that a disagreement is due to."""
    return next((limit for limit in LIMITS if limit.excuses(one, compared)), None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--each", type=int, default=2, help="how many of a kind are made small")
    parser.add_argument("--file", help="compare this program instead")
    parser.add_argument("--only", default="", help="labels that contain this")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder, Elsewhere(_begin) as elsewhere:
        if options.file:
            effects.install()
            for typed in (False, True):
                for one in compare(Path(options.file).read_text(), folder, typed).disagreements:
                    print(f"{one.label}: line {one.line}: {one.text}\n    {one.detail}")
            return
        began = time.monotonic()
        for seed, compared in run(options.seed, options.count, folder):
            counts["programs"] += 1
            counts["errors" if compared.plain.error else "clean"] += 1
            counts["agree"] += not compared.disagreements
            for one in compared.disagreements:
                if limit := excuse(one, compared):
                    counts[f"limit: {limit.label}: {limit.reason}"] += 1
            for one in unexcused(compared):
                if options.only not in one.label:
                    continue
                counts[one.label] += 1
                print(f"seed {seed}: {one.label}: line {one.line}: {one.text}\n    {one.detail}", flush=True)
                if counts[one.label] <= options.each:
                    about = one, folder, bool(seed % 2)
                    small = shrunk(compared.text, lambda text, about=about: elsewhere.says(_still, text, *about))
                    print(_indented(small), flush=True)
        for label, number in sorted(counts.items()):
            print(f"{number:6} {label}")
        print(f"{time.monotonic() - began:.0f} s")


def _indented(text: str) -> str:
    return "\n".join("    | " + line for line in text.splitlines() if not line.startswith(("import", "from")))


if __name__ == "__main__":
    main()
