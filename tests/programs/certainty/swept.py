# The same random numbers for each setting of a sweep.

# --- each setting has a number of its own
import jax
import jax.numpy as jnp
import numpy as np


def survives(key, rate):
    return jnp.where(jax.random.uniform(key) < rate, 0.0, 1.0)


def table(key, rates):
    found = {}
    for rate in rates:
        found[rate] = float(survives(key, rate))  # JAX403 possible
    return found


def curve(key, rates):
    return [survives(key, rate).item() for rate in rates]  # JAX403 possible


def told(key, rates):
    for number, rate in enumerate(rates):
        keys = jax.random.split(key, 100)  # JAX403 possible
        alive = jax.vmap(survives, (0, None))(keys, rate)
        mean = jnp.mean(alive)
        print(f"{number}: {rate} {mean:.2f}")


def sizes(key, counts, rate):
    means = []
    for count in counts:
        keys = jax.random.split(key, count)  # JAX403 possible
        means.append(float(jnp.mean(jax.vmap(survives, (0, None))(keys, rate))))
    return means


def curves(key, rates):
    keys = jax.random.split(key, 100)
    return {rate: np.asarray(jax.vmap(survives, (0, None))(keys, rate)).cumsum() for rate in rates}  # JAX403 possible


def best(key, rates):
    best_rate, most = None, -1.0
    for rate in rates:
        value = float(survives(key, rate))  # JAX403 certain
        if value > most:
            best_rate, most = rate, value
    return best_rate

# --- the numbers of several passes are averaged, added up or carried on, or arrays are kept
import jax
import jax.numpy as jnp
import numpy as np


def survives(key, rate):
    return jnp.where(jax.random.uniform(key) < rate, 0.0, 1.0)


def update(params, key, batch):
    return params + jax.random.normal(key) * batch, jnp.sum(batch)


def averaged(key, rates):
    return np.mean([float(survives(key, rate)) for rate in rates])  # JAX403 certain


def averaged_below(key, rates):
    found = []
    for rate in rates:
        found.append(float(survives(key, rate)))  # JAX403 certain
    values = np.array(found)
    return values.mean()


def added(key, rates):
    total = 0.0
    for rate in rates:
        total += float(survives(key, rate))  # JAX403 certain
    return total


def kept(key, rates):
    found = []
    for rate in rates:
        found.append(survives(key, rate))  # JAX403 certain
    return jnp.stack(found)


def trained(key, batches, params):
    for batch in batches:
        params, loss = update(params, key, batch)  # JAX403 certain
        print(float(loss))
    return params


def asked_the_same(key, rates, rate):
    for number in rates:
        keys = jax.random.split(key, 100)  # JAX403 certain
        print(number, float(jnp.mean(jax.vmap(survives, (0, None))(keys, rate))))


def repeated(key, rate):
    found = []
    for trial in range(10):
        found.append(float(survives(key, rate + trial)))  # JAX403 certain
    return found
