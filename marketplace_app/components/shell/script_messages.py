"""What scripts in `assets/` say even before the page's own code has loaded; the texts are those of `messages.py`."""

import orjson

from marketplace_app import messages
from marketplace_app.messages import Notice

_MESSAGES = {
    "dateRequired": messages.DATE_REQUIRED,
    "ageRefused": Notice(messages.ACCESS_DENIED),
    "ageCheckFailed": messages.AGE_CHECK_FAILED,
    "ageVerified": messages.AGE_VERIFIED,
    "signedOut": messages.SIGNED_OUT,
    "signOutFailed": messages.SIGN_OUT_FAILED,
}

# The toaster drains `storeToasts` once it is there (components/shell/toaster.py).
_TOAST = """
window.storeToast = (kind, title, text = "") => {
  (window.storeToasts ||= []).push({ kind, title, text });
  dispatchEvent(new Event("store:toast"));
};
"""


def script_messages() -> str:
    """JavaScript that defines `storeMessages`, an object of the messages by name, and the function
    `storeToast(kind, title, text)`."""
    texts = {name: {"title": notice.title, "text": notice.text} for name, notice in _MESSAGES.items()}
    return f"window.storeMessages = {orjson.dumps(texts).decode()};{_TOAST}"


def toast_from_script(kind: str, notice: Notice) -> str:
    """JavaScript that shows a toast."""
    texts = (orjson.dumps(text).decode() for text in (notice.title, notice.text))
    return f'window.storeToast("{kind}", {", ".join(texts)});'
