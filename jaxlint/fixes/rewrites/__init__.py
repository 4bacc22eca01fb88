"""One fixer a file: `rewrite(source, repair)` makes a fix, or raises `CannotFix`."""
