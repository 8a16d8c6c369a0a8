"""Server: a card room in the browser. It adds no rule: commands go to the floor, views come back."""
