"""Live changes, announced in the transaction that makes them."""

from sqlmodel import Session

from marketplace_app.adapters import live


def publish(session: Session, topic: str) -> None:
    """Tell the subscribers of `topic` (`adapters.live`), once this transaction is committed and only then."""
    session.info.setdefault(live.TOPICS, set()).add(topic)
