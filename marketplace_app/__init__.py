"""A private, age-gated store for legal cannabis products: cash on delivery, contactless, within 48 hours."""

import warnings

from authlib.deprecate import AuthlibDeprecationWarning

# Authlib, when it is imported, installs a filter that shows its warnings whatever PYTHONWARNINGS says: so these follow
# the import. The store still uses httpx, which Authlib replaces by httpx2, and the development identity provider uses
# Authlib's old module.
for _known in ("The httpx module is deprecated", "authlib.jose module is deprecated", ".*get_jwt_config"):
    warnings.filterwarnings("ignore", _known, AuthlibDeprecationWarning)
