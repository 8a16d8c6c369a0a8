"""Server: a card room in the browser. It adds no rule: the floor decides, views come back."""
