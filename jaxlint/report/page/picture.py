"""The picture of one trace: a tree from the root on the left to the helpers on the right, as SVG.

A function stands where the first call leads to it; where others lead to it as well there is a short reference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from jaxlint.flow.observers.call_graph import CALLBACK, Call, Callee, Root
from jaxlint.report.escaping import plain
from jaxlint.report.page.code import Code

KINDS = {
    "compile": "jit pjit pmap shard_map pallas_call checkpoint remat named_call filter_jit make_jaxpr eval_shape",
    "loop": "scan while_loop fori_loop map associative_scan cond switch",
    "batch": "vmap vectorize xmap filter_vmap soft_vmap",
    "derive": "grad value_and_grad jacfwd jacrev jacobian hessian jvp vjp linearize linear_transpose custom_jvp "
    "custom_vjp custom_gradient filter_grad filter_value_and_grad",
    "host": CALLBACK,
}
"""What transforms do, by the last part of their name; what is in none of the lists is of no kind."""

_KIND_OF = {name: kind for kind, names in KINDS.items() for name in names.split()}

_HEIGHT, _STUB_HEIGHT, _GAP = 40, 22, 8
_COLUMN_GAP = 56
_LETTER, _SMALL = 7.3, 6.2
_WIDEST_NAME = 34


def kind_of(transform: str) -> str:
    return _KIND_OF.get(transform.rpartition(".")[2], "other")


@dataclass(slots=True)
class _Box:
    """A function in the picture, or (``again``) a reference to where it already stands."""

    function: Callee
    transforms: tuple[str, ...]
    again: bool
    goes_on: bool = False  # it calls more, which was not followed
    below: list[_Box] = field(default_factory=list)
    x: float = 0
    y: float = 0
    width: float = 0

    @property
    def height(self) -> int:
        return _STUB_HEIGHT if self.again else _HEIGHT


def picture(root: Root, calls: list[Call], code: Code, findings_in: Callable[[Callee], int]) -> str:
    """The SVG of what a root leads to; ``findings_in`` says how many findings a function has."""
    top = _tree(root, calls)
    _place(top, code)
    boxes = _all(top)
    width = max(box.x + box.width for box in boxes) + 24
    height = max(box.y + box.height for box in boxes) + 12
    label = plain(f"{root.function.name} and the functions that run under it")
    head = (
        f'<svg class="picture" width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'role="group" aria-label="{label}">'
    )
    parts = [_edge(box, child) for box in boxes for child in box.below]
    parts += [_drawn(box, code, 0 if box.again else findings_in(box.function)) for box in boxes]
    return "".join([head, *parts, "</svg>"])


def _tree(root: Root, calls: list[Call]) -> _Box:
    """Each function once, as near to the root as a call leads; a function's calls in the order of their lines."""
    followed = {call.callee for call in calls if call.followed} | {call.caller for call in calls}
    below: dict[Callee, list[Call]] = {}
    for call in sorted(calls, key=lambda call: (call.place, call)):
        below.setdefault(call.caller, []).append(call)
    top = _Box(root.function, root.transforms, False)
    placed, waiting = {root.function}, [top]
    while waiting:
        box = waiting.pop(0)
        seen: set[tuple[Callee, tuple[str, ...]]] = set()
        for call in below.get(box.function, ()):
            if (call.callee, call.transforms) in seen:
                continue
            seen.add((call.callee, call.transforms))
            child = _Box(call.callee, call.transforms, call.callee in placed, call.callee not in followed)
            box.below.append(child)
            if not child.again:
                placed.add(call.callee)
                waiting.append(child)
    return top


def _place(top: _Box, code: Code) -> None:
    """Columns as wide as their widest box; a box stands at the height of the middle of what is below it."""
    widths: list[float] = []
    level = [top]
    while level:
        for box in level:
            box.width = _width(box, code)
        widths.append(max(box.width for box in level))
        level = [child for box in level for child in box.below]
    columns = [12.0]
    for width in widths:
        columns.append(columns[-1] + width + _COLUMN_GAP)

    def settle(box: _Box, depth: int, y: float) -> float:
        """Places a box and what is below it from ``y`` down; returns where the next one may begin."""
        box.x = columns[depth]
        after = y
        for child in box.below:
            after = settle(child, depth + 1, after)
        if box.below:
            first, last = box.below[0], box.below[-1]
            box.y = max(y, (first.y + first.height / 2 + last.y + last.height / 2 - box.height) / 2)
        else:
            box.y = y
        return max(after, box.y + box.height + _GAP)

    settle(top, 0, 12.0)


def _width(box: _Box, code: Code) -> float:
    if box.again:
        return len(_short(box.function.name)) * _SMALL + _shorts_width(box) + 34
    name = len(_short(box.function.name)) * _LETTER
    return max(name, len(_where(box, code)) * _SMALL + _shorts_width(box)) + 26


def _shorts_width(box: _Box) -> float:
    shorts = _shorts(box.transforms)
    return len(shorts) * (_SMALL + 0.3) + 8 if shorts else 0


def _shorts(transforms: tuple[str, ...]) -> str:
    return " ∘ ".join(name.rpartition(".")[2] for name in transforms)


def _short(name: str) -> str:
    """A name that fits: of a long one the last parts, in which it differs from its neighbours."""
    while len(name) > _WIDEST_NAME and "." in name:
        name = "…" + name.removeprefix("…").partition(".")[2]
    return name if len(name) <= _WIDEST_NAME else name[: _WIDEST_NAME - 1] + "…"


def _where(box: _Box, code: Code) -> str:
    place = box.function.location
    return code.sources.shown_path(place.path).replace("\\", "/").rpartition("/")[2] + f":{place.line}"


def _all(top: _Box) -> list[_Box]:
    found = [top]
    for box in found:
        found.extend(box.below)
    return found


def _edge(parent: _Box, child: _Box) -> str:
    start, end = parent.x + parent.width, child.x
    y, to = parent.y + parent.height / 2, child.y + child.height / 2
    middle = (start + end) / 2
    return (
        f'<path class="edge {_kind(child)}" '
        f'd="M{start:.0f} {y:.0f}C{middle:.0f} {y:.0f} {middle:.0f} {to:.0f} {end:.0f} {to:.0f}"/>'
    )


def _kind(box: _Box) -> str:
    return kind_of(box.transforms[0]) if box.transforms else "plain"


def _drawn(box: _Box, code: Code, findings: int) -> str:
    name, where = plain(_short(box.function.name)), plain(_where(box, code))
    full = plain(f"{box.function.name} — {code.sources.shown_place(box.function.location).rpartition(':')[0]}")
    shorts = _shorts(box.transforms)
    pill = f'<tspan class="pill">{plain(shorts)}</tspan> ' if shorts else ""
    if box.again:
        body = (
            f'<rect width="{box.width:.0f}" height="{box.height}" rx="11"/>'
            f'<text class="small" x="10" y="15">{pill}↗ {name}</text>'
        )
    else:
        body = (
            f'<rect width="{box.width:.0f}" height="{box.height}" rx="6"/>'
            f'<text class="name" x="12" y="17">{name}</text>'
            f'<text class="small" x="12" y="32">{pill}{where}</text>'
        )
    if box.goes_on and not box.again:
        body += f'<text class="goes-on" x="{box.width + 6:.0f}" y="24">…</text>'
        full += plain(" — what it calls was not followed here")
    if findings:
        body += (
            f'<circle class="count" cx="{box.width:.0f}" cy="0" r="9"/>'
            f'<text class="count" x="{box.width:.0f}" y="4">{findings}</text>'
        )
    target = code.target(box.function.location)
    link, end = (f'<a href="#{target}">', "</a>") if target else ("", "")
    classes = " ".join(filter(None, ["box", _kind(box), "again" if box.again else "", "found" if findings else ""]))
    at = f"translate({box.x:.0f} {box.y:.0f})"
    return f'<g class="{classes}" transform="{at}">{link}<title>{full}</title>{body}{end}</g>'
