"""A choice that Python cannot make while tracing becomes one that the program makes: `jnp.where`, or `lax.cond` where
one of the two should not be computed in vain.  A choice by a flag, a name or a count becomes static instead.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from jaxlint.fixes.arrays import is_always_traced, is_boolean, is_guard, is_number, is_plain, names_in
from jaxlint.fixes.imports import bound_by, bound_in, dotted_name, name_for
from jaxlint.fixes.rewrites.static_argument import (
    is_declared_static,
    looks_static,
    made_static,
    parameter_of,
    uses_plainly,
)
from jaxlint.fixes.source import CannotFix, Source
from jaxlint.vocabulary.findings import Applicability, Edit, Fix, Repair

_NO_ARRAYS = (
    ast.Tuple, ast.List, ast.Dict, ast.Set, ast.Lambda, ast.JoinedStr, ast.ListComp, ast.SetComp, ast.DictComp,
    ast.GeneratorExp, ast.Starred, ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr,
)  # fmt: skip
_COSTLY = (ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_CHEAP_FUNCTIONS = frozenset(
    f"jax.numpy.{name}"
    for name in """
    abs array asarray ceil clip cos exp floor full full_like maximum minimum negative ones ones_like round sign sin
    square tanh where zeros zeros_like
    """.split()
)

_BEHIND = re.compile(r"[ \t)]*:[ \t]*#")


def rewrite(source: Source, repair: Repair) -> Fix:
    """Raises CannotFix for loops, assertions, and branches that do more than to give one name, or the result, a value.

    Safe where a scalar is compared and the choice is between numbers made of the same names, in a function that is
    never run but traced.
    """
    test = source.node(repair.location, ast.expr)
    if looks_static(source, repair, test):
        return made_static(source, repair)
    try:
        return chosen_at_run_time(source, repair, test)
    except CannotFix:
        if not _is_choice_by_name(source, repair, test):
            raise
        return made_static(source, repair)


def _is_choice_by_name(source: Source, repair: Repair, test: ast.expr) -> bool:
    """`if train:`, `match mode:`, `mode == "train"`, where that is the parameter itself."""
    match = next((node for node in source.parents(test) if isinstance(node, ast.Match)), None)
    is_case = isinstance(source.parent(test), ast.MatchValue)
    subject = match.subject if match is not None and is_case else test
    if not uses_plainly(subject, parameter_of(source, repair)[1].arg):
        return False
    if is_case:
        return True
    if isinstance(test, ast.Compare):
        operands = (test.left, *test.comparators)
        return any(isinstance(operand, ast.Constant) and isinstance(operand.value, str) for operand in operands)
    return isinstance(test, ast.Name)


def chosen_at_run_time(source: Source, repair: Repair, test: ast.expr) -> Fix:
    """The fix that lets the program choose by a test.  Raises CannotFix as `rewrite` does."""
    parent = source.parent(test)
    if is_declared_static(source, test):
        raise CannotFix
    if isinstance(parent, ast.IfExp) and parent.test is test:
        if source.has_comment(parent):
            raise CannotFix
        choice = _Choice(source, test)
        edits = (source.replace(parent, choice.between(test, parent.body, parent.orelse)),)
    elif isinstance(parent, ast.If) and parent.test is test:
        choice = _Choice(source, test)
        edits = (_replaced_if(source, choice, parent),)
    elif isinstance(parent, ast.comprehension) and parent.ifs == [test]:
        choice = _Choice(source, test)
        edits = (_replaced_filter(source, choice, parent),)
    else:
        raise CannotFix
    safe = choice.is_plain and is_always_traced(repair)
    applicability = Applicability.SAFE if safe else Applicability.UNSAFE
    return Fix(f"Use `{choice.function}`", applicability, (*choice.imports, *edits))


class _Choice:
    """Makes the text of choices; notes what it used for them."""

    def __init__(self, source: Source, at: ast.expr) -> None:
        self.source = source
        self.at = at
        self.imports: tuple[Edit, ...] = ()
        self.function = ""
        self.is_plain = True

    def between(self, test: ast.expr, yes: ast.expr, no: ast.expr, no_text: str = "", yes_text: str = "") -> str:
        """The text of ``yes`` if ``test`` else ``no``; texts may stand for the two where they are not written so."""
        if is_guard(test):
            raise CannotFix
        for arm in (yes, no):
            if isinstance(arm, _NO_ARRAYS) or (isinstance(arm, ast.Constant) and not _may_be_an_array(arm)):
                raise CannotFix
        condition = self.source.text(test)
        first, second = yes_text or self.source.text(yes), no_text or self.source.text(no)
        if self._is_lazy(yes, no):
            self.is_plain = False
            lax, imports = name_for(self.source, "jax.lax", self.at)
            function = f"{lax}.cond"
            text = f"{function}({condition}, lambda: {first}, lambda: {second})"
        else:
            self.is_plain &= _is_scalar_choice(test, yes, no)
            jnp, imports = name_for(self.source, "jax.numpy", self.at)
            function = f"{jnp}.where"
            text = f"{function}({condition}, {first}, {second})"
        self.imports = tuple(dict.fromkeys((*self.imports, *imports)))
        self.function = self.function or function
        return text

    def _is_lazy(self, yes: ast.expr, no: ast.expr) -> bool:
        """Whether only one of the two should be evaluated.  A number's dtype need not fit that of the other arm."""
        if is_number(yes) or is_number(no) or isinstance(yes, ast.IfExp) or isinstance(no, ast.IfExp):
            return False
        return any(_is_costly(self.source, arm) for arm in (yes, no))


def _may_be_an_array(node: ast.Constant) -> bool:
    return isinstance(node.value, (bool, int, float, complex))


def _is_costly(source: Source, node: ast.expr) -> bool:
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and dotted_name(source, part.func) not in _CHEAP_FUNCTIONS:
            return True
        if isinstance(part, ast.BinOp) and isinstance(part.op, _COSTLY) and not is_number(part.right):
            return True
    return False


def _is_scalar_choice(test: ast.expr, yes: ast.expr, no: ast.expr) -> bool:
    """Whether test, yes and no are made of the same scalars, so that neither shape nor gradient can surprise."""
    compared = isinstance(test, ast.Compare) and all(is_plain(part) for part in (test.left, *test.comparators))
    return compared and is_plain(yes) and is_plain(no) and names_in(yes) | names_in(no) <= names_in(test)


# -- statements ---------------------------------------------------------------------------------------------


def _replaced_if(source: Source, choice: _Choice, statement: ast.If) -> Edit:
    indent = source.indent(statement)
    start, end = source.offsets(statement)
    if source.document.text.startswith("elif", start):
        raise CannotFix
    comment = _comment(source, statement)
    body, orelse = statement.body, statement.orelse
    if isinstance(body[-1], ast.Return) and not orelse:
        following = _next(source, statement)
        if not isinstance(following, ast.Return) or source.has_comment(following):
            raise CannotFix
        last = source.offsets(following)[1]
        if source.document.text[end : source.offsets(following)[0]].strip():
            raise CannotFix
        return source.replace_range(start, last, f"return {_returned(source, choice, statement, [following])}{comment}")
    if isinstance(body[-1], ast.Return):
        return source.replace_range(start, end, f"return {_returned(source, choice, statement, orelse)}{comment}")
    first, *lines = _assignments(source, choice, statement)
    return source.replace_range(start, end, f"{source.newline}{indent}".join([f"{first}{comment}", *lines]))


def _comment(source: Source, statement: ast.If) -> str:
    """The comment behind the condition, fit to follow a statement.  Raises CannotFix for a comment anywhere else."""
    comments = source.comments(statement)
    if not comments:
        return ""
    start, end = source.offsets(statement.test)[1], source.offsets(statement.body[0])[0]
    if not _BEHIND.match(source.document.text[start:end]) or len(comments) > 1:
        raise CannotFix
    return f"  {comments[0]}"


def _next(source: Source, statement: ast.stmt) -> ast.stmt | None:
    parent = source.parent(statement)
    for block in (getattr(parent, name, None) for name in ("body", "orelse", "finalbody")):
        if isinstance(block, list) and statement in block:
            at = block.index(statement) + 1
            return block[at] if at < len(block) else None
    return None


def _returned(source: Source, choice: _Choice, statement: ast.If, otherwise: Sequence[ast.stmt]) -> str:
    """The value of an if that returns; of `elif`, of an `if` in the else branch too."""
    yes = _single_return(statement.body)
    no = otherwise[0]
    if len(otherwise) == 1 and isinstance(no, ast.If) and no.orelse:
        text = _returned(source, choice, no, no.orelse)
        choice.is_plain = False
        return choice.between(statement.test, yes, _single_return(no.body), no_text=text)
    return choice.between(statement.test, yes, _single_return(otherwise))


def _single_return(block: Sequence[ast.stmt]) -> ast.expr:
    if len(block) != 1 or not isinstance(block[0], ast.Return) or block[0].value is None:
        raise CannotFix
    return block[0].value


def _assignments(source: Source, choice: _Choice, statement: ast.If) -> list[str]:
    """One assignment for each name that the branches give a value.

    Raises CannotFix where one of them would be read by a later one, or may have no value before.
    """
    yes, no = _assigned(statement.body), _assigned(statement.orelse)
    if no and yes.keys() != no.keys():
        raise CannotFix
    lines: list[str] = []
    done: set[str] = set()
    for name, one in yes.items():
        read = names_in(statement.test) | names_in(one) | (names_in(no[name]) if no else {name})
        if done & read:
            raise CannotFix
        done.add(name)
        target = ast.Name(name, ast.Load())
        if no:
            other = no[name]
            value = choice.between(
                statement.test,
                _value(one),
                _value(other),
                _augmented(source, other, name),
                _augmented(source, one, name),
            )
        else:
            if not _is_bound_before(source, statement, name):
                raise CannotFix
            value = choice.between(statement.test, _value(one), target, name, _augmented(source, one, name))
        lines.append(f"{name} = {value}")
    return lines


def _assigned(block: Sequence[ast.stmt]) -> dict[str, ast.Assign | ast.AugAssign]:
    """The assignment that gives each name its value in a block that does nothing else."""
    found: dict[str, ast.Assign | ast.AugAssign] = {}
    for statement in block:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target: ast.expr = statement.targets[0]
        elif isinstance(statement, ast.AugAssign):
            target = statement.target
        else:
            raise CannotFix
        if not isinstance(target, ast.Name) or target.id in found:
            raise CannotFix
        if any(name in names_in(statement) for name in found):
            raise CannotFix  # it reads what was assigned before
        found[target.id] = statement
    return found


def _value(statement: ast.Assign | ast.AugAssign) -> ast.expr:
    if isinstance(statement, ast.Assign):
        return statement.value
    target = statement.target
    return ast.BinOp(target, statement.op, statement.value)


def _augmented(source: Source, statement: ast.Assign | ast.AugAssign, name: str) -> str:
    """The new value of `x += y`, which is nowhere written: `x + y`.  Empty for a plain assignment."""
    if isinstance(statement, ast.Assign):
        return ""
    start, end = source.offsets(statement.target)[1], source.offsets(statement.value)[0]
    operator = source.document.text[start:end].strip(" (").removesuffix("=")
    operand = source.text if isinstance(statement.value, ast.Constant) else source.operand
    return f"{name} {operator} {operand(statement.value)}"


def _is_bound_before(source: Source, statement: ast.stmt, name: str) -> bool:
    """Whether a name has a value whenever a statement is reached: a parameter, or assigned in a line above it."""
    function = source.function(statement)
    if function is None or isinstance(function, ast.Lambda) or name not in source.once(bound_in, function):
        return False
    every = function.args
    if any(parameter.arg == name for parameter in (*every.posonlyargs, *every.args, *every.kwonlyargs)):
        return True
    current: ast.AST = statement
    while current is not function:
        parent = source.parent(current)
        for block in (getattr(parent, field, None) for field in ("body", "orelse", "finalbody")):
            if isinstance(block, list) and current in block:
                before = block[: block.index(current)]
                simple = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.With)
                if any(isinstance(node, simple) and name in bound_by(node) for node in before):
                    return True
        if parent is None:
            return False
        current = parent
    return False


# -- comprehensions -----------------------------------------------------------------------------------------


def _replaced_filter(source: Source, choice: _Choice, generator: ast.comprehension) -> Edit:
    """`sum(x for x in xs if x > 0)` adds zeros for what is left out."""
    around = source.parent(generator)
    call = source.parent(around) if around is not None else None
    if not isinstance(around, (ast.GeneratorExp, ast.ListComp)) or len(around.generators) != 1:
        raise CannotFix
    is_sum = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "sum"
    if not is_sum or source.has_comment(around) or is_boolean(source, around.elt):
        raise CannotFix
    (test,) = generator.ifs
    start, end = source.offsets(around.elt)[0], source.offsets(test)[1]
    text = source.document.text
    between = text[source.offsets(around.elt)[1] : source.offsets(generator.iter)[1]]
    if text[source.offsets(generator.iter)[1] : source.offsets(test)[0]].strip() != "if":
        raise CannotFix  # parentheses
    element = choice.between(test, around.elt, ast.Constant(0), "0")
    return source.replace_range(start, end, f"{element}{between}")
