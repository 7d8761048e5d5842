"""All that the store uses of Reflex beyond its documented interface (`rx.*`), one module a subject.

Nothing here knows the store: what differs comes as an argument. Each module says in its first lines which internals it
relies on, and has a contract test in `tests/framework/`, which fails when another version of Reflex changes them.
`docs/upgrading.md` has the list. `tests/framework/test_fence.py` keeps such uses out of the other packages.
"""
