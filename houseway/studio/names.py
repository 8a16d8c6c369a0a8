"""Names: what may be asked for in the studio, known without counting anything."""

SECTIONS = {
    "strategy": "Strategy",
    "outcomes": "Outcomes",
    "joint": "All bets together",
    "confidence": "Confidence bands",
    "sensitivity": "Rule and option sensitivities",
    "claims": "Printed claims compared",
    "progressive": "Progressive",
    "hold": "Expected hold (a model)",
    "liability": "Maximum liability and aggregate limit",
    "rules": "Rules",
    "assumptions": "Assumptions",
}
"""The parts that a screen shows, by a short name."""

KINDS = ("pdf", "html", "csv", "json", "card", "pack", "variant")
"""The files that a draft may be taken home as."""
