# Variables that a compiled function reads and that are bound again before it is called once more.

# --- to what nobody knows: data, but no functions that are only called
# file: program.py
import jax


def fitted(batches, settings):
    theta = settings.start()
    run = jax.jit(lambda x: x * theta)  # JAX108 likely
    for x in batches:
        settings.note(run(x))
        theta = settings.next(theta)


def transformed(batches, settings):
    change = settings.start()
    run = jax.jit(lambda x: change(x))
    for x in batches:
        settings.note(run(x))
        change = settings.next()


def bound_once(batches, settings):
    theta = settings.start()
    run = jax.jit(lambda x: x * theta)
    for x in batches:
        settings.note(run(x))
