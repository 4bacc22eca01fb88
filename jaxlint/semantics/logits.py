"""Functions that take logits: which argument that is, and what makes probabilities of such logits."""

from __future__ import annotations

from typing import NamedTuple

_SOFTMAX, _SIGMOID = frozenset({"softmax"}), frozenset({"sigmoid", "expit"})


class Logits(NamedTuple):
    """The argument that is for logits, and the functions whose results are none."""

    position: int
    keyword: str
    made_by: frozenset[str]


LOGITS: dict[str, Logits] = {
    "jax.random.categorical": Logits(1, "logits", _SOFTMAX),
    "distrax.Categorical": Logits(0, "logits", _SOFTMAX),
    "optax.softmax_cross_entropy": Logits(0, "logits", _SOFTMAX),
    "optax.softmax_cross_entropy_with_integer_labels": Logits(0, "logits", _SOFTMAX),
    "optax.losses.softmax_cross_entropy": Logits(0, "logits", _SOFTMAX),
    "optax.losses.softmax_cross_entropy_with_integer_labels": Logits(0, "logits", _SOFTMAX),
    "optax.sigmoid_binary_cross_entropy": Logits(0, "logits", _SIGMOID),
    "optax.losses.sigmoid_binary_cross_entropy": Logits(0, "logits", _SIGMOID),
}
