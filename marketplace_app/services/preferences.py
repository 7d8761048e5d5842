"""A user's own preferences, saved as a whole (RULE preferences)."""

from sqlalchemy import select
from sqlmodel import Session, col

from marketplace_app import clock
from marketplace_app.limits import DEFAULT_INTENSITY
from marketplace_app.models import Preferences, User
from marketplace_app.models.preferences import LISTS
from marketplace_app.schemas.preferences import PreferencesForm, PreferencesView
from marketplace_app.services.accounts import lock, require_signed_in


def show(session: Session, actor: User | None) -> PreferencesView:
    """Empty ones with the default intensity when none were saved."""
    user = require_signed_in(actor)
    kept = session.get(Preferences, user.id)
    return _view(kept) if kept else PreferencesView()


def has_saved(session: Session, actor: User | None) -> bool:
    own = select(col(Preferences.user_id)).where(col(Preferences.user_id) == require_signed_in(actor).id)
    return session.execute(own).scalar_one_or_none() is not None


def save(session: Session, actor: User | None, form: PreferencesForm) -> PreferencesView:
    """The form is all there is from now on. Without consent no medical need stays; renewed, it keeps its first time."""
    user = lock(session, require_signed_in(actor))
    found = session.get(Preferences, user.id)
    before, kept = _view(found) if found else None, found or Preferences(user_id=user.id)
    kept.experience_level, kept.tolerance_level = form.experience_level, form.tolerance_level
    kept.primary_use_time = form.primary_use_time
    kept.desired_intensity = form.desired_intensity or DEFAULT_INTENSITY
    for name in LISTS:
        setattr(kept, name, getattr(form, name))
    kept.medical_consent_at = (kept.medical_consent_at or clock.now()) if form.medical_consent else None
    if _view(kept) != before:
        kept.saved_at = clock.now()
    session.add(kept)
    session.flush()
    return _view(kept)


def withdraw_medical_consent(session: Session, actor: User | None) -> None:
    """Erase the medical needs; the other preferences stay."""
    kept = session.get(Preferences, lock(session, require_signed_in(actor)).id)
    if kept is None or kept.medical_consent_at is None:
        return
    kept.medical_consent_at, kept.medical_needs, kept.saved_at = None, [], clock.now()
    session.add(kept)


def delete(session: Session, actor: User | None) -> None:
    """Erase all of them, medical needs too. Nothing is picked for this person until they save new ones."""
    kept = session.get(Preferences, lock(session, require_signed_in(actor)).id)
    if kept is not None:
        session.delete(kept)


def _view(kept: Preferences) -> PreferencesView:
    return PreferencesView(
        experience_level=kept.experience_level,
        tolerance_level=kept.tolerance_level,
        primary_use_time=kept.primary_use_time,
        desired_intensity=kept.desired_intensity,
        preferred_types=tuple(kept.preferred_types),
        preferred_effects=tuple(kept.preferred_effects),
        preferred_flavors=tuple(kept.preferred_flavors),
        medical_needs=tuple(kept.medical_needs),
        avoid_effects=tuple(kept.avoid_effects),
        medical_consent_at=kept.medical_consent_at,
        saved_at=kept.saved_at,
    )
