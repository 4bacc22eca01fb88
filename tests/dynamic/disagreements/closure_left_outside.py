# A function that closes over a tracer and is kept leaves the tracer: neither the oracle nor jaxlint looked into it.
import jax

TABLE = {"a": 1}


def scaled_by(scale):
    def scaled(v):
        return v * scale

    return scaled


def main(x: jax.Array, s: jax.Array, i: jax.Array, params: dict[str, jax.Array], key, n: int, flag: bool, opt):
    TABLE["made"] = scaled_by(x)
    return x * s


main = jax.jit(main, static_argnums=(5, 6))
