"""A private, age-gated store for legal cannabis products: cash on delivery, contactless, within 48 hours."""

import gc
import warnings

from authlib.deprecate import AuthlibDeprecationWarning

# Half a million objects are made while the store is imported, and nearly all of them stay: looking for garbage among
# them took a fifth of the start-up time.
_USUAL_THRESHOLD = gc.get_threshold()
gc.set_threshold(1_000_000)

# When it is imported, Authlib installs a filter that shows its warnings whatever PYTHONWARNINGS says, so these filters
# follow the import. The store still uses httpx, in place of which Authlib wants httpx2, and the development identity
# provider uses Authlib's old JOSE module.
for _known in ("The httpx module is deprecated", "authlib.jose module is deprecated", ".*get_jwt_config"):
    warnings.filterwarnings("ignore", _known, AuthlibDeprecationWarning)


def end_startup() -> None:
    """From now on, collect garbage as usual, but only among objects that are made from now on.

    Those made until now live as long as the process. Looking through them stopped all requests for 0.2 s.
    """
    gc.freeze()
    gc.set_threshold(*_USUAL_THRESHOLD)
