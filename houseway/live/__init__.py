"""Live: a round as it happens, in pure functions: command, events, state, view."""
