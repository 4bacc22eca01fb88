# A loop looks at what it trains.

# --- what the loop trains is looked at in the same way
# file: train.py
import jax


def train(params, batches, key, update, evaluate):
    losses = []
    for batch in batches:
        params = update(params, batch)
        loss = evaluate(params, jax.random.normal(key))  # JAX403 possible
        losses.append(loss)
    return params, losses


def show_pictures(state, steps, key, sampler, plot):
    for step in range(steps):
        state, loss = sampler.update(state, step)
        if step % 100 == 0:
            noise_key, label_key = jax.random.split(key)  # JAX403 possible
            draw = sampler.of(state.params)
            plot(draw(noise_key, label_key), loss)

# --- what is drawn comes back
# file: train.py
import jax


def train(params, batches, key, update):
    for batch in batches:
        noise = jax.random.normal(key)  # JAX403 certain
        params = update(params, batch + noise)
    return params


def replay(params, batches, key, update, act):
    seen = []
    for batch in batches:
        action = act(params, jax.random.normal(key), batch)  # JAX403 certain
        seen.append(action)
        params = update(params, seen)
    return params


def step(params, batches, key, update):
    for batch in batches:
        params, loss = update(params, batch, jax.random.normal(key))  # JAX403 certain
        print(loss)
    return params


def walk(x, steps, key, move):
    for _ in range(steps):
        where = x + jax.random.uniform(key)  # JAX403 certain
        x = move(x, where)
    return x


def told(trainer, batches, key):
    for batch in batches:
        batch = trainer.prepare(batch)
        trainer.fit(batch, jax.random.normal(key))  # JAX403 certain

# --- nothing is trained
# file: data.py
import jax


def collect(params, batches, key, evaluate):
    found = []
    for batch in batches:
        found.append(evaluate(params, batch, jax.random.normal(key)))  # JAX403 certain
    return found


def count(steps, key, f):
    found, number = [], 0
    while number < steps:
        number += 1
        found.append(f(number, jax.random.normal(key)))  # JAX403 certain
    return found
