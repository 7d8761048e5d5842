"""A user's own preferences, saved as a whole (RULE preferences)."""

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.limits import DEFAULT_INTENSITY
from marketplace_app.models import Preferences, User
from marketplace_app.models.preferences import LISTS
from marketplace_app.schemas.account.preferences import PreferencesAnswer, PreferencesForm
from marketplace_app.services.accounts import lock, require_signed_in


def show(session: Session, actor: User | None) -> PreferencesAnswer:
    """Without saved preferences, empty ones with the default intensity."""
    user = require_signed_in(actor)
    row = session.get(Preferences, user.id)
    shown = PreferencesAnswer.of(row or Preferences(user_id=user.id))
    return shown if row else shown.model_copy(update={"saved_at": None})


def has_saved(session: Session, actor: User | None) -> bool:
    statement = select(col(Preferences.user_id)).where(col(Preferences.user_id) == require_signed_in(actor).id)
    return session.execute(statement).scalar_one_or_none() is not None


def save(session: Session, actor: User | None, form: PreferencesForm) -> PreferencesAnswer:
    """Replace all preferences. Without consent, medical needs are erased; a consent keeps the date it was given."""
    user = lock(session, require_signed_in(actor))
    row = session.get(Preferences, user.id)
    before = PreferencesAnswer.of(row) if row else None
    row = row or Preferences(user_id=user.id)
    row.experience_level, row.tolerance_level = form.experience_level, form.tolerance_level
    row.primary_use_time = form.primary_use_time
    row.desired_intensity = form.desired_intensity or DEFAULT_INTENSITY
    for name in LISTS:
        setattr(row, name, getattr(form, name))
    row.medical_consent_at = (row.medical_consent_at or clock.now()) if form.medical_consent else None
    if PreferencesAnswer.of(row) != before:
        row.saved_at = clock.now()
    session.add(row)
    session.flush()
    return PreferencesAnswer.of(row)


def withdraw_medical_consent(session: Session, actor: User | None) -> None:
    """Erase the medical needs; the other preferences stay."""
    row = session.get(Preferences, lock(session, require_signed_in(actor)).id)
    if row is None or row.medical_consent_at is None:
        return
    row.medical_consent_at, row.medical_needs, row.saved_at = None, [], clock.now()
    session.add(row)


def delete(session: Session, actor: User | None) -> None:
    """Erase all preferences, medical needs too. Nothing is recommended to the user until they save new ones."""
    row = session.get(Preferences, lock(session, require_signed_in(actor)).id)
    if row is not None:
        session.delete(row)
