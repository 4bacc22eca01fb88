"""What code means, kind by kind.  Models see the interpreter through its port only."""
