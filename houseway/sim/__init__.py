"""Simulation: rounds dealt by the million, counted by outcome and priced afterwards.

A kernel deals whole tables and writes down one small number for every seat; tables that the rules
made say what it is worth. So what is counted is what people are paid by, any paytable prices a
finished run, and totals are whole numbers that do not depend on who added them up.
"""
