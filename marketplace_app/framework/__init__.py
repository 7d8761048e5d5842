"""Everything that the store uses of Reflex beyond its documented interface (`rx.*`), one module per subject.

Nothing here depends on the store: what belongs to it is passed as an argument. Each module says in its docstring which
internals it relies on, and has a contract test in `tests/framework/` that fails when a new version of Reflex changes
them. `docs/upgrading.md` has the list. `tests/framework/test_fence.py` keeps such uses out of the other packages.
"""
