"""Journal: what happened, written down once in order, chained by hashes and never changed.

It knows streams, events, transfers and keys, and nothing about games: what a command means is for
the model that it is given. `docs/ledger.md` has the shapes.
"""
