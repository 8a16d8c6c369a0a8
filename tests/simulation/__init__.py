"""Simulated floors: seeded runs with faults below and beside the journal; see `docs/ledger.md`."""
