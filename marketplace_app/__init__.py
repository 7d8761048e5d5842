"""A private, age-gated store for legal cannabis products: cash on delivery, contactless, within 48 hours."""

import warnings

from authlib.deprecate import AuthlibDeprecationWarning

# Authlib shows its own whatever PYTHONWARNINGS says, by a filter set as it is imported: so these come after it. The
# store keeps to httpx, which Authlib leaves for httpx2, and the development identity provider to Authlib's old module.
for _known in ("The httpx module is deprecated", "authlib.jose module is deprecated", ".*get_jwt_config"):
    warnings.filterwarnings("ignore", _known, AuthlibDeprecationWarning)
