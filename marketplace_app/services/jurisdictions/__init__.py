"""The law where an order goes: versions of a state's rules, limits and taxes (RULE state-rules)."""
