"""Floor: links, tables, people and awards, as one model that a journal keeps.

Each noun has its state, what may be asked of it and what its events do. A decision is a pure
function of the state: it returns events with the money they move, or is refused.
"""
