"""jaxlint reads a JAX project without importing it and says where it will break, lie or crawl under JAX.

The command is ``jaxlint PATH``; the same from Python is :func:`jaxlint.api.lint_paths`.  Nothing is imported
here: the command starts in a few milliseconds because each part loads only what it needs.
"""

__version__ = "0.2.0"


def load_ipython_extension(ipython: object) -> None:
    """What `%load_ext jaxlint` runs: from now on each cell is checked when it has run."""
    from jaxlint.notebook.extension import load

    load(ipython)


def unload_ipython_extension(ipython: object) -> None:
    """What `%unload_ext jaxlint` runs."""
    from jaxlint.notebook.extension import unload

    unload(ipython)
