"""What the browser should do next: show a toast, or open another document.

Toasts and navigations returned by a handler are strings that the browser evals, which the content security policy
forbids. These vars drive a small effect in `components.shell.toaster` instead. It is triggered by timestamps, not
counters: a timestamp is newer than the last one even when the state was lost.
"""

import time

import reflex as rx

from marketplace_app.messages import Notice


class SignalState(rx.State):
    toast_at: int = 0
    kind: str = "success"
    title: str = ""
    text: str = ""
    leave_at: int = 0
    href: str = ""
    after_ms: int = 0
    _order_notice: Notice | None = None
    """The toast for the order that was just placed. The checkout shows it again if the connection was lost before the
    browser received it; the account's list of orders clears it."""

    def _toast(self, kind: str, notice: Notice) -> None:
        self.kind, self.title, self.text = kind, notice.title, notice.text
        self.toast_at = max(self.toast_at + 1, int(time.time() * 1000))

    def _navigate(self, path: str, after_ms: int = 0) -> None:
        """A document navigation, to a path of this site."""
        self.href, self.after_ms = path, after_ms
        self.leave_at = max(self.leave_at + 1, int(time.time() * 1000))
