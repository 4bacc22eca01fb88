"""chex: dataclasses that are pytrees, and assertions, some of which need values that a tracer has not."""

from __future__ import annotations

from jaxlint.semantics.model import Abstracts, Library, Wrapper

TRANSPARENT = Wrapper(Abstracts.NOTHING, (0, "fn"), stages=False)

# Shape, rank and dtype assertions are static; these read values.
VALUE_ASSERTIONS = (
    "assert_tree_all_finite assert_trees_all_close assert_trees_all_close_ulp assert_trees_all_equal assert_equal "
    "assert_scalar assert_scalar_in assert_scalar_negative assert_scalar_non_negative assert_scalar_positive "
    "assert_is_divisible"
).split()

LIBRARY = Library(
    name="chex",
    aliases={"chex._src.asserts": "chex", "chex._src.dataclass": "chex"},
    wrappers={"chex.chexify": TRANSPARENT, "chex.assert_max_traces": TRANSPARENT},
    pytree_decorators=frozenset({"chex.dataclass"}),
    value_assertions=frozenset(f"chex.{name}" for name in VALUE_ASSERTIONS),
    never_keys=frozenset(
        f"chex.{name}"
        for name in (
            "assert_equal_rank assert_equal_shape assert_rank assert_shape assert_type assert_tree_all_finite "
            "assert_trees_all_close assert_trees_all_equal assert_trees_all_equal_shapes assert_axis_dimension"
        ).split()
    ),
)
