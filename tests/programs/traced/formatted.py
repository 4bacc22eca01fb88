# Texts that tracers are written into, with and without a specification.

import jax

# --- a template with a colon that is in no field
def main():
    return jax.jit(lambda x: (x, "value: {}".format(x))[0])(1.0)

# --- a template whose specification is for another argument
def main():
    return jax.jit(lambda x: (x, "{}: {:.2f}, {n:3d}".format(x, 2.5, n=1))[0])(1.0)

# --- a template whose specification is for the tracer
def main():
    return jax.jit(lambda x: (x, "{}: {:.2f}".format(2.5, x))[0])(1.0)  # JAX215

# --- a template that numbers its arguments
def main():
    return jax.jit(lambda x: (x, "{1}: {0:.2f}".format(x, 2.5))[0])(1.0)  # JAX215

# --- a template that names its arguments
def main():
    return jax.jit(lambda x: (x, "{n}: {loss:.2f}".format(n=1, loss=x))[0])(1.0)  # JAX215

# --- a template whose width is an argument, too
def main():
    return jax.jit(lambda x: (x, "{:{}d} {:.2f}".format(1, 4, x))[0])(1.0)  # JAX215

# --- a template that writes the text of a tracer
def main():
    return jax.jit(lambda x: (x, "{!r:>40} {!s:>40}".format(x, x))[0])(1.0)

# --- a template whose field is of static parts of a tracer
def main():
    return jax.jit(lambda x: (x, "{0.ndim:3d} {0}".format(x))[0])(1.0)

# --- a percent conversion of another value
def main():
    return jax.jit(lambda x: (x, "%s: %d %5s 100%%" % (x, 3, x))[0])(1.0)

# --- a percent conversion of the tracer
def main():
    return jax.jit(lambda x: (x, "%s: %.3f" % ("loss", x))[0])(1.0)  # JAX215

# --- format with a specification that is empty
def main():
    return jax.jit(lambda x: (x, format(x, ""))[0])(1.0)

# --- format with a specification
def main():
    return jax.jit(lambda x: (x, format(x, ".2f"))[0])(1.0)  # JAX215
