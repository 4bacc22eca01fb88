"""The second front: libcst modules lowered to the trees of ``ast`` that everything else walks."""
