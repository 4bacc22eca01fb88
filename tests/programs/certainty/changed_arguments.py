# Arguments that a compiled function changes, and for which nobody is seen to look afterwards.

import jax

# --- a function that gives nothing back, and does nothing else
def update_average(average, params, decay):
    for name in average:
        average[name] = decay * average[name] + (1 - decay) * params[name]  # JAX106 likely

update = jax.jit(update_average)

@jax.jit
def advance(system, dt):
    system.x = system.x + dt * system.v  # JAX106 likely

# --- one that gives something, or does something with what it has changed
@jax.jit
def normalised(batch):
    for name in batch:
        batch[name] = batch[name] / 255.0  # JAX106 possible
    return batch["image"].mean()

@jax.jit
def shown(batch):
    batch["image"] = batch["image"] / 255.0  # JAX106 possible
    jax.debug.print("{}", batch["image"])

# --- one that gives back what it has changed, or changes a dict of its own
@jax.jit
def halved(batch):
    for name in batch:
        batch[name] = batch[name] / 2
    return batch

@jax.jit
def counted(batch):
    counts = {name: 0 for name in batch}
    for name in batch:
        counts[name] = counts[name] + batch[name].sum()
    return counts
