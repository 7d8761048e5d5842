"""Which tabs are subscribed to which topics, and which users they are signed in as.

Several states of a tab may subscribe: the page's own, the cart, the admin navigation. Opening another page ends all of
them.
"""

from collections.abc import Container, Iterable

import reflex as rx

from marketplace_app.adapters.live import ALL_TOPICS, cart, product, user

StateClass = type[rx.State]
_SUBSCRIPTIONS: dict[str, dict[StateClass, frozenset[str]]] = {}
"""Topics by the tab's token and the state. Only of tabs connected to this process: a tab that reconnects to another
process loads, and so subscribes, again."""
_USER_IDS: dict[str, int] = {}
"""The signed-in user by the tab's token: a ban or a sign-out elsewhere affects all of a user's tabs."""


def subscribe(state: rx.State, *topics: str) -> None:
    """Refresh this state of the tab whenever one of these topics changes. They replace those of an earlier call.

    Call it before reading the data that the tab shows.
    """
    _SUBSCRIPTIONS.setdefault(state.router.session.client_token, {})[type(state)] = frozenset(topics)


def tab_user_id(state: rx.State) -> int | None:
    """The user that the tab is signed in as; None for a guest."""
    return _USER_IDS.get(state.router.session.client_token)


def subscribe_to_own(state: rx.State) -> None:
    """Subscribe to what concerns the signed-in user."""
    if (user_id := tab_user_id(state)) is not None:
        subscribe(state, user(user_id))


def subscribe_to_cart(state: rx.State, product_ids: Iterable[int]) -> None:
    """Subscribe to the cart of the signed-in user, to what else their quote depends on, such as credit, earlier orders
    and addresses, and to changes by staff of the products in the cart.

    Which products these are is known only after the cart was read. A change between reading and subscribing is not
    shown, but the checkout compares prices and refuses the order.
    """
    if (user_id := tab_user_id(state)) is not None:
        subscribe(state, cart(user_id), user(user_id), *map(product, product_ids))


def unsubscribe(token: str) -> None:
    _SUBSCRIPTIONS.pop(token, None)


def set_tab_user(token: str, user_id: int | None) -> None:
    """Record the user that the tab is signed in as; None after a sign-out."""
    if user_id is None:
        _USER_IDS.pop(token, None)
    else:
        _USER_IDS[token] = user_id


def retain_connected(connected: Container[str]) -> None:
    for known in (_SUBSCRIPTIONS, _USER_IDS):
        for token in [token for token in known if token not in connected]:
            del known[token]


def subscribers(topics: frozenset[str]) -> dict[str, list[StateClass]]:
    """The states to refresh, by the tab's token."""
    found = {
        token: [state for state, own in by_state.items() if own & topics or ALL_TOPICS in topics]
        for token, by_state in list(_SUBSCRIPTIONS.items())
    }
    return {token: states for token, states in found.items() if states}


def tabs_of_users(topics: frozenset[str]) -> list[str]:
    """Every tab of the users these topics are about, whatever it shows."""
    return [token for token, user_id in _USER_IDS.items() if ALL_TOPICS in topics or user(user_id) in topics]
