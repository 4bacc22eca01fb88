"""Rules for derivatives, `f.defvjp(fwd, bwd)` and `@f.defjvp`: traced where ``f`` is differentiated under jit, and held
against what JAX asks of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from contextlib import nullcontext

from jaxlint.flow.domain import avals, events
from jaxlint.flow.domain.arguments import Arguments
from jaxlint.flow.domain.asked import NeedsCaller
from jaxlint.flow.domain.contexts import Provenance, Why
from jaxlint.flow.domain.values import (
    ABSTRACT,
    GRAD,
    Array,
    Const,
    External,
    Function,
    Opaque,
    Transformed,
    Tree,
    Tuple,
    Value,
    innermost,
)
from jaxlint.flow.limits import KNOWN_ITEMS
from jaxlint.flow.models.arrays import arrays, slopes
from jaxlint.flow.models.arrays.arrays import like
from jaxlint.flow.models.jax.contracts import described, exact, kind_of_node, where_returned
from jaxlint.flow.models.objects.iteration import known_items
from jaxlint.flow.models.objects.leaves import no_leaf
from jaxlint.flow.port import Interpreter
from jaxlint.flow.source.modules import ModuleText
from jaxlint.project.lifted import decorators

_GIVEN_TANGENTS = frozenset(("jvp", "vjp", "linearize", "filter_jvp", "filter_vjp"))
"""Their callers choose the tangents, which need not be traced."""

_REGISTERED = {"defvjp": ("jax.custom_vjp", ("fwd", "bwd")), "defjvp": ("jax.custom_jvp", ("jvp",))}
_REGISTERING = frozenset((*_REGISTERED, "defjvps"))
_RULES = "rules"


def note_rules(it: Interpreter, owner: Value, method: str, rules: list[Value], node: ast.AST) -> None:
    """``owner.method(*rules)`` is called: what is registered is kept with the function."""
    if isinstance(owner, Transformed) and method in _REGISTERING:
        if it.state.is_summarised and not _is_made_here(it, owner):
            raise NeedsCaller
        it.given_rules.add(owner.node)
    name, roles = _REGISTERED.get(method, ("", ()))
    if isinstance(owner, Transformed) and owner.name == name and len(rules) == len(roles):
        if all(isinstance(rule, Function) for rule in rules):
            it.state.write(owner)[_RULES] = Tuple(tuple(rules))
        for rule, role in zip(rules, roles):
            if isinstance(rule, Function) and not _check_arity(it, owner, rule, role, node):
                return
            if isinstance(rule, Function) and role != "bwd":
                _check_written_pair(it, owner, rule, role, node)
        if name == "jax.custom_vjp" and isinstance(rules[1], Function):
            _check_written_count(it, owner, rules[1], node)


def _is_made_here(it: Interpreter, owner: Transformed) -> bool:
    return owner.made is not None and owner.made.frame is it.activation.frame


# -- what a rule takes ------------------------------------------------------------------------------------------


def _check_arity(it: Interpreter, made: Transformed, rule: Function, role: str, node: ast.AST) -> bool:
    """Whether a rule can be called as JAX does: the forward rule like the function, the others with the arguments that
    are not differentiated, and two more."""
    count, apart = _positional(made), _apart(it, made)
    if count is None or apart is None or rule.node in it.wrapped or rule.receiver is not None:
        return True
    wanted = count if role == "fwd" else apart + 2
    spec = rule.node.args
    most = len(spec.posonlyargs) + len(spec.args)
    least = most - len(spec.defaults)
    decorators = [one for one in getattr(rule.node, "decorator_list", ()) if not _is_static(it, rule, one)]
    if decorators and node not in decorators:
        return True
    if (least <= wanted and (wanted <= most or spec.vararg is not None)) or any(d is None for d in spec.kw_defaults):
        return True
    given = str(most) if least == most else f"{least} to {most}"
    it.emit(events.RuleRefused(node, made.name, "arity", role, given, str(wanted)))
    return False


def _check_written_count(it: Interpreter, made: Transformed, rule: Function, node: ast.AST) -> None:
    """Whether the tuple that a backward rule is written to return has a gradient for each argument: that shows before
    anything differentiates the function."""
    count, apart = _positional(made), _apart(it, made)
    if count is None or apart is None or rule.node in it.wrapped or decorators(rule.node):
        return
    place, scope = where_returned(rule, node)
    given = place.value if isinstance(place, ast.Return) else place
    if isinstance(given, ast.BinOp) and _computes_array(it, rule):
        it.emit(events.RuleRefused(place, made.name, "count", "bwd", "an array", str(count - apart)), scope)
        return
    if place is node or not isinstance(given, ast.Tuple) or any(isinstance(item, ast.Starred) for item in given.elts):
        return
    if len(given.elts) != count - apart:
        written = described(it, Tuple(tuple(Opaque() for _ in given.elts)))
        it.emit(events.RuleRefused(place, made.name, "count", "bwd", written, str(count - apart)), scope)


def _check_written_pair(it: Interpreter, made: Transformed, rule: Function, role: str, node: ast.AST) -> None:
    """Whether what another rule is written to return is a pair: an array is none, whatever the rule is given."""
    if rule.node in it.wrapped or any(one is not node for one in decorators(rule.node)):
        return
    place, scope = where_returned(rule, node)
    given = place.value if isinstance(place, ast.Return) else place
    if isinstance(given, (ast.BinOp, ast.Call)) and given is not node and _computes_array(it, rule):
        it.emit(events.RuleRefused(place, made.name, "pair", role, "an array"), scope)


def _computes_array(it: Interpreter, rule: Function) -> bool:
    """Whether a rule gives an array, whatever it is given."""
    spec = rule.node.args
    with it.scratch(), it.quiet():
        unknown: list[Value] = [Opaque() for _ in (*spec.posonlyargs, *spec.args)]
        return kind_of_node(_run(it, rule, unknown, rule.node)) == "array"


def _is_static(it: Interpreter, rule: Function, decorator: ast.expr) -> bool:
    found = it.eval_annotation(decorator, rule)
    return isinstance(found, External) and found.name == "builtins.staticmethod"


def _positional(made: Transformed) -> int | None:
    """How many arguments a function is given, where its signature says so: those left out are filled in."""
    function, bound, named = innermost(made.function)
    if function is None or bound or named or function.node.args.vararg or function.node.args.kwarg:
        return None
    spec = function.node.args
    decorators = getattr(function.node, "decorator_list", [])
    if spec.kwonlyargs or (decorators and decorators[-1] is not made.node):
        return None
    return len(spec.posonlyargs) + len(spec.args)


def _apart(it: Interpreter, made: Transformed) -> int | None:
    """How many arguments are said not to be differentiated; None where that is not known."""
    found = 0
    for option in ("nondiff_argnums", "nondiff_argnames"):
        given = made.options.get(option)
        items = [given] if isinstance(given, Const) else known_items(it, given, KNOWN_ITEMS.value) if given else []
        if items is None or not all(isinstance(item, Const) for item in items):
            return None
        found += len(items)
    return found


# -- what a function with rules is called with --------------------------------------------------------------------


def is_refused(it: Interpreter, made: Transformed, args: Arguments, apart: Sequence[int], node: ast.AST) -> bool:
    """Whether JAX refuses a call of a function with rules of its own."""
    if made.node not in it.given_rules and made.receiver is None and not _has_rules_elsewhere(it, made):
        return it.emit(events.RuleRefused(node, made.name, "missing"))
    if "nondiff_argnames" in made.options or args.open_ended:
        return False
    for number, value in enumerate(args.positional):
        what = _never_traced(value)
        if what and number not in apart and _apart(it, made) is not None:
            return it.emit(events.RuleRefused(node, made.name, "argument", "", what, str(number)))
    forwards = it.differentiated_by in ("jvp", "jacfwd") and it.differentiations == 1
    if forwards and made.name == "jax.custom_vjp":
        rest = [value for number, value in enumerate(args.positional) if number not in apart]
        if any(slopes.differentiated_in(it, value) for value in rest):
            return it.emit(events.RuleRefused(node, made.name, "forward", it.differentiated_by))
    return False


def _never_traced(value: Value) -> str:
    if isinstance(value, Const) and isinstance(value.value, str):
        return "a string"
    return "a function" if isinstance(value, (Function, Transformed)) else ""


def _has_rules_elsewhere(it: Interpreter, made: Transformed) -> bool:
    """Whether something in the program may give the function its rules, but has not run."""
    function = innermost(made.function)[0]
    return function is None or it.ask_program(are_rules_given, made.scope.name, function.name)


def are_rules_given(it: Interpreter, module: str, function: str) -> bool:
    """Whether some module may give a function of this one its rules: another one names it, or is handed it."""
    own = it.scopes.get(module)
    is_handed = own is None or it.ask_text(own, _is_handed, function)
    return any(it.ask_text(scope, _may_give, function, scope is own, is_handed) for scope in list(it.scopes.values()))


def _is_handed(scope: ModuleText, function: str) -> bool:
    """Whether a module hands a function of its own to a call."""
    calls = (part for part in ast.walk(scope.tree) if isinstance(part, ast.Call)) if scope.tree is not None else ()
    return any(
        isinstance(given, ast.Name) and given.id == function
        for call in calls
        for given in (*call.args, *(keyword.value for keyword in call.keywords))
    )


def _may_give(scope: ModuleText, function: str, is_own: bool, is_handed: bool) -> bool:
    names = _given_rules(scope)
    if is_own:
        return not names.isdisjoint((None, function))
    return bool(names) and (is_handed or function in scope.module.document.text)


def _given_rules(scope: ModuleText) -> set[str | None]:
    """The names of which a module asks for what gives a function its rules; None for what has none."""
    asked = scope.walked().attributes
    parts = (part.value for method in _REGISTERING for part in asked.get(method, ()))
    return {value.id if isinstance(value, ast.Name) else None for value in parts}


# -- what a rule gives --------------------------------------------------------------------------------------------


def run_rules(it: Interpreter, made: Transformed, args: Arguments, apart: list[int], node: ast.AST) -> None:
    """``made`` is called with ``args``, those at the positions ``apart`` not differentiated: runs its rules as they
    are traced if this is under jit and differentiated.  What they do to the state is the derivative's concern.

    Without jit they run on what is there, and it is only looked at what they give.
    """
    rules = it.state.read(made).get(_RULES)
    how = it.differentiated_by
    if not how or it.muted or args.open_ended:
        return
    values = _by_position(made, args)
    if values is None:
        return
    args = Arguments(values)
    if not isinstance(rules, Tuple):
        if made.node in it.given_rules and made.scope.state == "running" and it.state.is_summarised:
            raise NeedsCaller  # what a module keeps while it is read
        return
    if any(isinstance(rule, Function) and it.is_running(rule.node) for rule in rules.items):
        return
    rest = [value for number, value in enumerate(args.positional) if number not in apart]
    if not any(arrays.tracer_in(it, value, ABSTRACT if it.ctx.staging else GRAD) is not None for value in rest):
        return
    step = Provenance(Why.RULES, (how,), made.scope, made.node, it.ctx.provenance)
    looking = nullcontext() if it.ctx.staging else it.quiet()
    with it.counted_apart(), it.scratch(), it.context(it.with_own_rules()), looking:
        given = _run_all(it, made, rules, args, apart, how in _GIVEN_TANGENTS, step, node)
    for rule, role, outcome in given:
        if not _check_outcome(it, made, rule, role, outcome, rest, node):
            return


def _by_position(made: Transformed, args: Arguments) -> list[Value] | None:
    """The arguments as JAX gives them to the rules: those by name in their places, and defaults for what is left out
    (`resolve_kwargs` of jax/_src/api_util.py); None where their places are not known."""
    function, bound, named = innermost(made.function)
    if function is None or bound or named or function.node.args.vararg:
        return None if args.named else args.positional
    spec, values = function.node.args, list(args.positional)
    names = [parameter.arg for parameter in (*spec.posonlyargs, *spec.args)]
    defaults = dict(zip(reversed(names), reversed(function.defaults)))
    for name in names[len(values) :]:
        value = args.named.get(name, defaults.get(name))
        if value is None:
            return None if args.named else args.positional
        values.append(value)
    return values if args.named.keys() <= {*names[len(args.positional) :]} else None


def _run_all(
    it: Interpreter, made: Transformed, rules: Tuple, args: Arguments, apart: list[int], is_chosen: bool,
    step: Provenance, node: ast.AST,
) -> list[tuple[Value, str, Value]]:  # fmt: skip
    """The rules, each with its role and what it gives."""
    kept = [value for number, value in enumerate(args.positional) if number in apart]
    rest = [value for number, value in enumerate(args.positional) if number not in apart]

    def tangent(value: Value) -> Value:
        return Opaque("a tangent") if is_chosen else like(value, ABSTRACT, step, "a tangent")

    if made.name == "jax.custom_jvp":
        tangents = [tangent(value) if len(rest) == 1 else Opaque("a tangent") for value in rest]
        outcome = _run(it, rules.items[0], [*kept, Tuple(tuple(rest)), Tuple(tuple(tangents))], node)
        return [(rules.items[0], "jvp", outcome)]
    outcome = _run(it, rules.items[0], args.positional, node)
    if isinstance(outcome, Tree) and outcome.sure and _is_given(it, made, args, outcome, node):
        return [(rules.items[0], "fwd", Array())]  # a pair of the result and more is no tree like the result
    known = outcome.items if isinstance(outcome, Tuple) and len(outcome.items) == 2 else None
    result, residuals = known or (Opaque(), Opaque("residuals"))
    it.state.uses = {}  # to draw the same numbers again is what a rule keeps a key for
    gradients = _run(it, rules.items[1], [*kept, residuals, tangent(result)], node)
    return [(rules.items[0], "fwd", outcome), (rules.items[1], "bwd", gradients)]


def _is_given(it: Interpreter, made: Transformed, args: Arguments, outcome: Tree, node: ast.AST) -> bool:
    """Whether the function itself gives what its forward rule does."""
    given = _run(it, made.function, args.positional, node)
    return isinstance(given, Tree) and given.key is outcome.key


def _run(it: Interpreter, rule: Value, values: list[Value], node: ast.AST) -> Value:
    return it.call(rule, Arguments(values), node)


def _check_outcome(
    it: Interpreter, made: Transformed, rule: Value, role: str, outcome: Value, rest: list[Value], node: ast.AST
) -> bool:
    """Whether a rule gives what JAX asks of it, as far as is known."""
    kind = kind_of_node(outcome)
    parts = known_items(it, outcome, KNOWN_ITEMS.value) if kind not in ("", "array", "dict", "None") else None
    total, apart = _positional(made), _apart(it, made)
    count = 2 if role != "bwd" else None if total is None or apart is None else total - apart
    told: tuple[str, str, str] | None = None
    if kind in ("array", "dict", "None") or (parts is not None and count is not None and len(parts) != count):
        told = "count" if role == "bwd" else "pair", described(it, outcome), str(count or "")
    elif parts is not None and role == "fwd" and (what := no_leaf(it, parts[1])):
        told = "residuals", what, ""
    elif parts is not None and role == "jvp" and kind_of_node(parts[1]) == "array":
        if exact(parts[0]).kind == "float" and exact(parts[1]).kind in ("int", "bool"):
            told = "tangent", described(it, parts[1]), described(it, parts[0])
    elif parts is not None and role == "bwd":
        for argument, gradient in zip(rest, parts):
            if kind_of_node(argument) == kind_of_node(gradient) == "array":
                if avals.other_shape(exact(argument), exact(gradient)):
                    told = "shape", described(it, gradient), described(it, argument)
    if told is None:
        return True
    what, given, wanted = told
    place, scope = where_returned(rule, node)
    it.emit(events.RuleRefused(place, made.name, what, role, given, wanted), scope)
    return False
