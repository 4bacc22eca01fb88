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

# --- noise of what a loop makes is no look at it
# file: observe.py
import jax


def observed(x, steps, key, move):
    seen = []
    for _ in range(steps):
        x = move(x)
        seen.append(x + jax.random.normal(key))  # JAX403 certain
    return seen


def named(x, steps, key, move):
    seen = []
    for _ in range(steps):
        x = move(x)
        noise = jax.random.normal(key)  # JAX403 certain
        seen.append(0.1 * noise + x)
    return seen


def scanned(x, steps, key, move):
    def body(x, _):
        x = move(x)
        noise = jax.random.normal(key)  # JAX403 certain
        return x, x + noise

    return jax.lax.scan(body, x, None, length=steps)

# --- a loop of JAX looks at what it trains in some of its passes
# file: scanned.py
import jax
import jax.numpy as jnp


def score(params, key):
    return jnp.mean(params * jax.random.normal(key))


def trained(params, batches, key, update):
    def body(carry, batch):
        params, step = carry
        params = update(params, batch)
        shown = jax.lax.cond(step % 10 == 0, lambda: score(params, key), lambda: 0.0)  # JAX403 possible
        jax.debug.print("{}", shown)
        return (params, step + 1), shown

    return jax.lax.scan(body, (params, 0), batches)


def counted(params, steps, key, update):
    def body(step, params):
        params = update(params, step)
        shown = jax.lax.cond(step % 10 == 0, lambda: score(params, key), lambda: 0.0)  # JAX403 possible
        jax.debug.print("{}", shown)
        return params

    return jax.lax.fori_loop(0, steps, body, params)


def kept(params, batches, key, update):
    def body(carry, batch):
        params, best = carry
        params = update(params, batch)
        shown = jax.lax.cond(best < 1.0, lambda: score(params, key), lambda: 0.0)  # JAX403 certain
        return (params, jnp.maximum(best, shown)), None

    return jax.lax.scan(body, (params, 0.0), batches)


def each(params, batches, key, update):
    def body(params, batch):
        params = update(params, batch)
        return params, score(params, key)  # JAX403 certain

    return jax.lax.scan(body, params, batches)

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
