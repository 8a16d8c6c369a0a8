"""Training: questions made from the rules, graded by them, and what a learner has got right."""
