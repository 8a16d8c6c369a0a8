"""House: what a house sets: amounts, options, paytables and meters."""
