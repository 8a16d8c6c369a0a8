"""Views: the types of what the server sends, a module for each page.

Amounts are whole cents, times are UTC as the journal writes them (ISO 8601), a position counts from
1 at the dealer's far left and 0 is the dealer. Tests hold every answer and every message of a
stream against these types; the types of the screens are generated from them.
"""
