# Whole numbers of few bits that wrap, where no number that is written is too large by itself.

import jax
import jax.numpy as jnp

# --- a product of constants that an int32 does not hold
EPOCH = 1_700_000_000

@jax.jit
def timestamps(steps):
    return jnp.int32(EPOCH) * 1000 + steps * 180  # JAX315

def main():
    return timestamps(jnp.arange(3))

# --- a sum of constants, where one has a name
def limit():
    start = jnp.asarray(2_000_000_000, dtype=jnp.int32)
    return start + 500_000_000  # JAX315

def main():
    return limit()

# --- constants whose results fit, and hashes
def main():
    seconds = jnp.int32(1_700_000) * 1000
    hashed = jnp.uint32(2_654_435_769) * 5 + jnp.uint32(7)
    return seconds, hashed, jnp.float32(1_700_000_000) * 1000, jnp.int32(7) - 100

# --- factors that fit one by one
@jax.jit
def occupancy(grid, points):
    cells = jnp.floor(points * 32).astype(jnp.uint8)
    flat = cells[:, 0] * 32 * 32 + cells[:, 1] * 32 + cells[:, 2]  # JAX315
    return grid.reshape(-1)[flat]

def main():
    return occupancy(jnp.ones((32, 32, 32)), jnp.ones((4, 3)) / 2)

# --- factors by the name of the size, and a product that has a name
SIZE = 64

@jax.jit
def occupancy(grid, points):
    cells = jnp.floor(points * SIZE).astype(jnp.uint8)
    rows = cells[:, 0] * SIZE
    return grid.reshape(-1)[rows * SIZE + cells[:, 1]]  # JAX315

def main():
    return occupancy(jnp.ones((64, 64)), jnp.ones((4, 3)) / 2)

# --- factors that fit together, and those of arrays that hold them
@jax.jit
def occupancy(grid, points):
    cells = jnp.floor(points * 4).astype(jnp.uint8)
    wide = cells.astype(jnp.int32)
    flat = cells[:, 0] * 4 * 4 + cells[:, 1] * 4 + cells[:, 2]
    return grid.reshape(-1)[flat], wide[:, 0] * 32 * 32

def main():
    return occupancy(jnp.ones((4, 4, 4)), jnp.ones((4, 3)) / 2)

# --- sums and differences that are limited after they have wrapped
def brighten(image):
    image = jnp.asarray(image, jnp.uint8)
    return jnp.clip(image + jnp.uint8(60), 0, 255)  # JAX315

def main():
    return brighten([1, 2])

# --- a limit of a difference, of a sum by its name, and as a method
def noisy(image, noise):
    image, noise = image.astype(jnp.uint8), noise.astype(jnp.uint8)
    total = image + noise
    return jnp.maximum(image - noise, 0), jnp.minimum(255, total), (image * noise).clip(max=255)  # JAX315

def main():
    return noisy(jnp.ones(3), jnp.ones(3))

# --- limits of what does not wrap, and limits that cut something off
def fine(image, noise):
    image, noise = image.astype(jnp.uint8), noise.astype(jnp.uint8)
    wide = jnp.clip(image.astype(jnp.int32) + noise, 0, 255).astype(jnp.uint8)
    halves = jnp.clip(image // 2 + noise // 2, 0, 255)
    return wide, halves, jnp.clip(image + noise, 0, 128), jnp.clip(image, 0, 255), jnp.clip(image * 0.5, 0, 255)

def main():
    return fine(jnp.ones(3), jnp.ones(3))

# --- places that are kept within an axis
def neighbours(i, n):
    i = jnp.asarray(i, jnp.int32)
    return jnp.maximum(i - 1, 0), jnp.clip(i + jnp.arange(-1, 2), 0, n - 1), jnp.maximum(jnp.int32(4) - i, 0)

def main():
    return neighbours(2, 5)
