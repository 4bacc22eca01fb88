# What is empty until code fills it that is not followed.
import heapq

import jax
import jax.numpy as jnp

POINTS = jnp.arange(4.0)

# --- a list that a function of another library fills
def nearest(points):
    order = []
    heapq.heappush(order, 2)
    return points[jnp.array(order)] + jnp.asarray(points)[jnp.array(order)]

def main():
    return nearest(POINTS)

# --- a list that is filled by a function, or a method, of which nothing is known
def rows(points, fill):
    found = []
    fill(found)
    return jnp.asarray(points)[jnp.array(found)]

def parts(points, mesh):
    found = {"nodes": []}
    mesh.collect("nodes", found["nodes"])
    return jnp.asarray(points)[jnp.array(found["nodes"])]

def main():
    return rows(POINTS, lambda found: found.append(1))

# --- a list that is filled by what visits the parts of something
def names(points, file):
    found = []
    file.visit(found.append)
    return jnp.asarray(points)[jnp.array(found)]

def groups(points, file):
    found = []

    def note(number, part):
        if part.is_group:
            found.append(number)

    file.visit(note)
    return jnp.asarray(points)[jnp.array(found)]

def main():
    pass

# --- a dict that is filled elsewhere
@jax.jit
def choose(x, fill):
    told = {}
    fill(told)
    if told:
        return x
    return -x

def main():
    pass

# --- a list that nobody is given
def rows(points, mesh):
    found = []
    mesh.collect()
    print(found)
    return jnp.asarray(points)[jnp.array(found)]  # JAX312

def main():
    class Mesh:
        def collect(self):
            pass

    return rows(POINTS, Mesh())

# --- a list that is not empty, whoever is given it
def rows(points, fill):
    found = [0.5]
    fill(found)
    return jnp.asarray(points)[jnp.array(found)]  # JAX312

def main():
    return rows(POINTS, len)
