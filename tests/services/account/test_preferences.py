"""Preferences are saved as a whole and validated; medical needs require consent."""

import logging
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, func, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import Session

from marketplace_app import clock, db, errors
from marketplace_app.models import AuditEntry, OutboxMessage, Preferences, User
from marketplace_app.schemas.account.preferences import PreferencesAnswer, PreferencesForm
from marketplace_app.schemas.base import parse
from marketplace_app.services import privacy
from marketplace_app.services.account import preferences
from tests.conftest import Cast

ALL = {
    "experienceLevel": "beginner",
    "toleranceLevel": "low",
    "primaryUseTime": "night",
    "desiredIntensity": 3,
    "preferredTypes": ["Indica"],
    "preferredEffects": ["Sleepy", "Calm"],
    "preferredFlavors": ["Berry"],
    "medicalConsent": True,
    "medicalNeeds": ["PTSD", "Insomnia"],
    "avoidEffects": ["Dizziness"],
}
NONE_SAVED = PreferencesAnswer.of(Preferences(user_id=0)).model_copy(update={"saved_at": None})


def save(who: User, **given: Any) -> PreferencesAnswer:
    return db.write(lambda s: preferences.save(s, s.get(User, who.id), parse(PreferencesForm, given)))


def show(who: User) -> PreferencesAnswer:
    return db.read(lambda s: preferences.show(s, s.get(User, who.id)))


def test_nothing_saved_is_empty_with_the_default_intensity(cast: Cast) -> None:
    assert show(cast.alice) == NONE_SAVED
    assert show(cast.alice).wire()["desiredIntensity"] == 5


def test_what_is_saved_is_shown_to_that_user_alone(cast: Cast) -> None:
    saved = save(cast.alice, **ALL).wire()
    assert {name: saved[name] for name in ALL} == ALL
    assert show(cast.alice).wire() == saved
    assert show(cast.bob) == NONE_SAVED


def test_omitted_preferences_become_unset(cast: Cast) -> None:
    save(cast.alice, **ALL)
    left = save(cast.alice, preferredFlavors=["Mint"])
    assert left.saved_at is not None
    assert left == NONE_SAVED.model_copy(update={"preferred_flavors": ("Mint",), "saved_at": left.saved_at})


def test_consent_keeps_the_time_it_was_first_given(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    given_at = save(cast.alice, **ALL).medical_consent_at
    later = clock.now() + timedelta(days=3)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert save(cast.alice, **ALL).medical_consent_at == given_at


def test_saving_without_consent_erases_the_needs_and_the_time_it_was_given(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(cast.alice, **ALL)
    later = clock.now() + timedelta(days=3)
    monkeypatch.setattr(clock, "now", lambda: later)
    withdrawn = save(cast.alice, **(ALL | {"medicalConsent": False, "medicalNeeds": []}))
    assert (withdrawn.medical_needs, withdrawn.medical_consent_at) == ((), None)
    needs = text("SELECT CAST(medical_needs AS TEXT) FROM preferences")
    assert db.read(lambda s: s.execute(needs).scalar_one()) == "[]"
    assert save(cast.alice, **ALL).medical_consent_at == later


def test_needs_without_consent_are_refused_and_nothing_is_written(cast: Cast) -> None:
    before = save(cast.alice, **ALL)
    for consent in ({"medicalConsent": False}, {}):
        given = {name: value for name, value in ALL.items() if name != "medicalConsent"} | consent
        with pytest.raises(errors.InvalidInput) as refused:
            save(cast.alice, **given)
        assert list(refused.value.fields) == ["medicalNeeds"]
        assert "needs your consent" in refused.value.message
    assert show(cast.alice) == before


@pytest.mark.parametrize(
    "values",
    [
        "desired_intensity = 0",
        "desired_intensity = 11",
        "experience_level = 'wizard'",
        "tolerance_level = ''",
        "primary_use_time = 'noon'",
        "preferred_types = '{}'",
        "medical_consent_at = NULL",
    ],
)
def test_the_database_refuses_impossible_preferences(engine: Engine, cast: Cast, values: str) -> None:
    save(cast.alice, **ALL)
    with pytest.raises(IntegrityError), engine.begin() as connection:
        connection.execute(text(f"UPDATE preferences SET {values}"))


def test_the_database_knows_the_default_intensity(engine: Engine, cast: Cast) -> None:
    with engine.begin() as connection:
        connection.execute(
            text(
                "INSERT INTO preferences (user_id, preferred_types, preferred_effects, preferred_flavors,"
                " medical_needs, avoid_effects, saved_at) VALUES (:id, '[]', '[]', '[]', '[]', '[]', :at)"
            ),
            {"id": cast.bob.id, "at": clock.now()},
        )
    assert show(cast.bob).desired_intensity == 5


def test_the_export_has_the_users_own_preferences_only(cast: Cast) -> None:
    save(cast.alice, **ALL)
    hers = db.read(lambda s: privacy.export(s, s.get(User, cast.alice.id)))
    his = db.read(lambda s: privacy.export(s, s.get(User, cast.bob.id)))
    assert {name: hers["preferences"][name] for name in ALL} == ALL
    assert his["preferences"] == NONE_SAVED.wire()
    assert "PTSD" not in str(his)


def test_deleting_the_account_erases_them(cast: Cast, session: Session) -> None:
    save(cast.alice, **ALL)
    save(cast.bob, **ALL)
    db.write(lambda s: privacy.erase(s, s.get(User, cast.alice.id)))
    assert session.execute(select(Preferences.user_id)).scalars().all() == [cast.bob.id]


def test_medical_needs_are_in_no_trail_mail_log_or_repr(
    cast: Cast, session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, "marketplace_app")
    save(cast.alice, **ALL)
    with pytest.raises(errors.InvalidInput) as refused:
        save(cast.alice, **(ALL | {"medicalNeeds": ["Gout"]}))
    stored = session.execute(select(Preferences)).scalar_one()
    trail = [entry.details for entry in session.execute(select(AuditEntry)).scalars()]
    outputs = [caplog.text, str(trail), repr(stored), repr(parse(PreferencesForm, ALL)), repr(show(cast.alice))]
    assert not any("PTSD" in each for each in outputs)
    assert "Gout" not in str(refused.value.body())
    assert session.execute(select(func.count()).select_from(OutboxMessage)).scalar_one() == 0


def test_a_failing_statement_does_not_reveal_its_values(engine: Engine) -> None:
    with pytest.raises(DBAPIError) as refused, engine.begin() as connection:
        connection.execute(text("SELECT 1 FROM nowhere WHERE need = :need"), {"need": "PTSD"})
    assert "PTSD" not in str(refused.value)


def test_a_guest_has_no_preferences(session: Session) -> None:
    with pytest.raises(errors.NotSignedIn):
        preferences.show(session, None)
    with pytest.raises(errors.NotSignedIn):
        preferences.save(session, None, PreferencesForm())
    for end in (preferences.withdraw_medical_consent, preferences.delete):
        with pytest.raises(errors.NotSignedIn):
            end(session, None)


def test_saving_the_same_values_again_changes_nothing(cast: Cast) -> None:
    saved = save(cast.alice, **ALL)
    assert save(cast.alice, **ALL) == saved
    assert save(cast.alice, **ALL | {"desiredIntensity": 4}).saved_at != saved.saved_at


def test_withdrawing_consent_erases_the_needs_and_keeps_the_rest(cast: Cast) -> None:
    save(cast.alice, **ALL)
    save(cast.bob, **ALL)
    db.write(lambda s: preferences.withdraw_medical_consent(s, s.get(User, cast.alice.id)))
    left = show(cast.alice)
    assert (left.medical_needs, left.medical_consent_at) == ((), None)
    assert left.preferred_effects == tuple(ALL["preferredEffects"])
    assert show(cast.bob).medical_needs == tuple(ALL["medicalNeeds"])


def test_deleting_preferences_leaves_nothing_of_them(cast: Cast) -> None:
    save(cast.alice, **ALL)
    save(cast.bob, **ALL)
    db.write(lambda s: preferences.delete(s, s.get(User, cast.alice.id)))
    assert show(cast.alice) == NONE_SAVED
    assert db.read(lambda s: s.execute(select(Preferences.user_id)).scalars().all()) == [cast.bob.id]


def test_withdrawing_or_deleting_what_was_never_saved_is_no_error(cast: Cast) -> None:
    db.write(lambda s: preferences.withdraw_medical_consent(s, s.get(User, cast.alice.id)))
    db.write(lambda s: preferences.delete(s, s.get(User, cast.alice.id)))
    assert show(cast.alice) == NONE_SAVED
