"""The machine that runs programs, from their entries on, and what is kept of a run."""
