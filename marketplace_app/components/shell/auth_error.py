"""The screen after a sign-in that did not finish (RULE auth-error-screen).

Only a store that is a copy of an original site at another host (`ORIGINAL_HOST`) has it: guests sign in there.
"""

from collections.abc import Callable
from typing import Any

import reflex as rx

from marketplace_app.components.controls.buttons import button_class
from marketplace_app.components.controls.links import document_link
from marketplace_app.config import get_settings
from marketplace_app.framework.expressions import expression
from marketplace_app.states.events.viewer import ViewerState


def failed_sign_in_path(host: str) -> rx.Var[str]:
    """The current path without `auth_error`; empty if there was no failure, for members, and on the original host."""
    hook = f"""
const failedSignInPath = useSyncExternalStore(() => () => {{}}, () => {{
  const url = new URL(location.href);
  const hasFailed = url.searchParams.get("auth_error") === "true";
  if (!hasFailed || url.host === "{host}" || "signedIn" in document.documentElement.dataset) return "";
  url.searchParams.delete("auth_error");
  return url.pathname + url.search;
}}, () => "")
"""
    return expression("failedSignInPath", str, react=["useSyncExternalStore"], hook=hook)


def auth_error(host: str, path: rx.Var[str], title: Callable[..., rx.Component] = rx.el.h1) -> rx.Component:
    sign_in = expression(f"'https://{host}/api/login?return_to=' + encodeURIComponent({path})", str)
    return rx.el.div(
        rx.el.div(
            title("Your sign-in did not finish", class_name="text-h1"),
            rx.el.p(
                f"You are not signed in at this address. Sign in at {host}, and this page will open there.",
                class_name="mt-3 max-w-text text-lead text-ink-2",
            ),
            rx.el.div(
                document_link("Sign In to Continue", href=sign_in, class_name=button_class(size="lg")),
                document_link("Open Original Site", href=f"https://{host}/", class_name=button_class("clear", "lg")),
                class_name="mt-6 flex flex-wrap gap-3",
            ),
            class_name="shell py-28 md:py-40",
        ),
        # On the landing page it replaces the film, and the header lies over it: transparent, with light text.
        data_ground="deep",
        class_name="border-b border-line bg-paper",
    )


def unless_auth_error(*content: Any) -> tuple[Any, ...]:
    host = get_settings().original_host
    if not host:
        return content
    path = failed_sign_in_path(host)
    return (rx.cond((path != "") & ~ViewerState.is_signed_in, auth_error(host, path), rx.fragment(*content)),)
