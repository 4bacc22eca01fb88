"""chex: dataclasses that are pytrees, and assertions, some of which need values that a tracer has not."""

from __future__ import annotations

from jaxlint.semantics.model import Abstracts, Library, Wrapper

TRANSPARENT = Wrapper(Abstracts.NOTHING, (0, "fn"), stages=False)

LIBRARY = Library(
    name="chex",
    aliases={"chex._src.asserts": "chex", "chex._src.dataclass": "chex"},
    wrappers={"chex.chexify": TRANSPARENT, "chex.assert_max_traces": TRANSPARENT},
    pytree_decorators=frozenset({"chex.dataclass"}),
    frozen_decorators={"chex.dataclass": False},
    never_keys=frozenset(
        f"chex.{name}"
        for name in (
            "assert_equal assert_equal_rank assert_equal_shape assert_rank assert_shape assert_type "
            "assert_tree_all_finite assert_trees_all_close assert_trees_all_equal assert_trees_all_equal_shapes "
            "assert_axis_dimension"
        ).split()
    ),
)
