# JAX shortens the traceback of an exception that passes a handler, and the oracle named the line of the handler.
import jax


def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    try:
        x = x[:i].sum() + x
    except jax.errors.ConcretizationTypeError:
        x = -x
    return x


main = jax.jit(main, static_argnums=(5, 6))
