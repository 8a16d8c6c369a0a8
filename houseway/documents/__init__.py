"""Documents: what leaves the house on paper, as one content laid out as HTML and as PDF."""
