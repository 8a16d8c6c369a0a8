"""Studio: a game priced while it is changed; compared, solved for, simulated, printed."""
