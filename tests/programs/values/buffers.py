# Arrays of NumPy that are written to while JAX may still read them, and what waits for it.
import jax
import numpy as np

@jax.jit
def f(x):
    return x.astype(int)

# --- a result that nobody waits for
def main():
    buffer = np.zeros(3, np.float32)
    y = f(buffer)
    buffer[0] = 1  # JAX518
    return y

# --- a result that is the index of a list
def main():
    buffer = np.zeros(3, np.float32)
    row = [1, 2, 3][f(buffer)[0]]
    buffer[0] = 1
    return row

# --- a result that is the index of an array of NumPy
def main():
    buffer = np.zeros(3, np.float32)
    rows = np.arange(3)[f(buffer)]
    buffer[0] = 1
    return rows

# --- a result that bounds a slice of a list
def main():
    buffer = np.zeros(3, np.float32)
    rows = [1, 2, 3][f(buffer)[0] :]
    buffer[0] = 1
    return rows

# --- a result that is the number of passes
def main():
    buffer = np.zeros(3, np.float32)
    y = f(buffer)
    for _ in range(y[0]):
        pass
    buffer[0] = 1
    return y

# --- a result that repeats a string
def main():
    buffer = np.zeros(3, np.float32)
    line = "-" * f(buffer)[0]
    buffer[0] = 1
    return line

# --- a result that is looked for
def main():
    buffer = np.zeros(3, np.float32)
    found = f(buffer)[0] in (1, 2)
    buffer[0] = 1
    return found

# --- a helper makes the array and hands it to JAX, and may wait
def begin():
    buffer = np.zeros(3, np.float32)
    return buffer, f(buffer)

def done():
    buffer = np.zeros(3, np.float32)
    y = f(buffer)
    return buffer, y.block_until_ready()

def main():
    buffer, y = begin()
    buffer[0] = 1  # JAX518
    other, z = done()
    other[0] = 1
    again, last = begin()
    again[0] = 1  # JAX518
    return y, z, last
