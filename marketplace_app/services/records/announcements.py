"""Announcements to open pages of what a transaction changes."""

from sqlmodel import Session

from marketplace_app.adapters import live


def publish(session: Session, topic: str) -> None:
    """Tell the subscribers of `topic` (`adapters.live`) once this transaction is committed, and never if it is not."""
    session.info.setdefault(live.TOPICS, set()).add(topic)
