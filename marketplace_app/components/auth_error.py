"""After a sign-in that did not finish, in a store that belongs to another site (`ORIGINAL_HOST`, decision 18)."""

from collections.abc import Callable
from typing import Any

import reflex as rx
from reflex.vars import VarData

from marketplace_app.components.buttons import look_of
from marketplace_app.components.links import leave
from marketplace_app.config import get_settings
from marketplace_app.states.viewer import ViewerState

# This address without the mark of the failure, or nothing when there was none, or a member is here by the page's hint.
_HERE = """
const cameBackTo = useSyncExternalStore(() => () => {}, () => {
  const address = new URL(location.href);
  if (address.searchParams.get("auth_error") !== "true" || "signedIn" in document.documentElement.dataset) return "";
  address.searchParams.delete("auth_error");
  return address.href;
}, () => "")
"""
CAME_BACK_TO = rx.Var(
    "cameBackTo",
    _var_type=str,
    _var_data=VarData(imports={"react": ["useSyncExternalStore"]}, hooks={_HERE: None}),
)


def auth_error(host: str, came_back_to: rx.Var[str], title: Callable[..., rx.Component] = rx.el.h1) -> rx.Component:
    sign_in = rx.Var(f"'https://{host}/api/login?return_to=' + encodeURIComponent({came_back_to})", _var_type=str)
    return rx.el.div(
        rx.el.div(
            title("Your sign-in did not finish", class_name="text-h1"),
            rx.el.p(
                f"You are not signed in on this address. Continue on {host}: it brings you back to this page.",
                class_name="mt-3 max-w-text text-lead text-ink-2",
            ),
            rx.el.div(
                leave("Sign In to Continue", href=sign_in, look=look_of(size="lg")),
                leave("Open Original Site", href=f"https://{host}/", look=look_of("clear", "lg")),
                class_name="mt-6 flex flex-wrap gap-3",
            ),
            class_name="shell py-28 md:py-40",
        ),
        # As deep as the film it takes the place of on the landing page, where the header lies on it.
        data_ground="deep",
        class_name="border-b border-line bg-paper",
    )


def unless_auth_error(*content: Any) -> tuple[Any, ...]:
    host = get_settings().original_host
    if not host:
        return content
    failed = (CAME_BACK_TO != "") & ~ViewerState.is_signed_in
    return (rx.cond(failed, auth_error(host, CAME_BACK_TO), rx.fragment(*content)),)
