"""A private, age-gated store for legal cannabis products: cash on delivery, contactless, within 48 hours."""

import gc
import warnings

from authlib.deprecate import AuthlibDeprecationWarning

# Half a million objects are made while the store is imported, and nearly all of them stay: to look for garbage among
# them took a fifth of the time to start.
_USUAL_THRESHOLD = gc.get_threshold()
gc.set_threshold(1_000_000)

# Authlib, when it is imported, installs a filter that shows its warnings whatever PYTHONWARNINGS says: so these follow
# the import. The store still uses httpx, which Authlib replaces by httpx2, and the development identity provider uses
# Authlib's old module.
for _known in ("The httpx module is deprecated", "authlib.jose module is deprecated", ".*get_jwt_config"):
    warnings.filterwarnings("ignore", _known, AuthlibDeprecationWarning)


def end_startup() -> None:
    """Collect garbage as usual from now on, among what is made from now on.

    What was made until now lives as long as the process. To look through it stopped all requests for 0.2 s.
    """
    gc.freeze()
    gc.set_threshold(*_USUAL_THRESHOLD)
