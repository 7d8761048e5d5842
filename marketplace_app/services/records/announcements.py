"""Announcements to open pages of what a transaction changes."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app.adapters import live
from marketplace_app.models import CartLine


def publish(session: Session, topic: str) -> None:
    """Tell the subscribers of `topic` (`adapters.live`) once this transaction is committed, and never if it is not."""
    session.info.setdefault(live.TOPICS, set()).add(topic)


def publish_products(session: Session, product_ids: Sequence[int]) -> None:
    """Tell the pages of these products and the carts that hold them: staff change a fact of theirs, or their count.

    With some hundreds of products at most.
    """
    for product_id in product_ids:
        publish(session, live.product(product_id))
    holders = select(col(CartLine.user_id)).where(col(CartLine.product_id).in_(product_ids)).distinct()
    for user_id in session.execute(holders).scalars():
        publish(session, live.cart(user_id))
