"""The table of programs that `stablehlo_corpus.py` lowers, by subject."""
