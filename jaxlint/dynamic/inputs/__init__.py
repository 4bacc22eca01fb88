"""Where the arguments of a traced call come from: recordings, call sites, annotations, synthesis, factories."""
