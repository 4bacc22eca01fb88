# Lists that are bound to attributes of modules of flax nnx, and filled after that.

from flax import nnx

# --- list of layers is filled after it is bound
class Stack(nnx.Module):
    def __init__(self, depth, *, rngs):
        self.layers = []  # JAX715 likely
        for _ in range(depth):
            self.layers.append(nnx.Linear(2, 2, rngs=rngs))

def main():
    Stack(2, rngs=nnx.Rngs(0))
