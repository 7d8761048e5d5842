"""The preferences page: one form, and what was last saved."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import reflex as rx
from typing_extensions import TypedDict

from marketplace_app import messages
from marketplace_app.errors import InvalidInput
from marketplace_app.limits import DEFAULT_INTENSITY, MAX_INTENSITY, SUMMARY_EFFECTS
from marketplace_app.schemas.account.preferences import ConsentToggle, PreferencesAnswer, PreferencesForm
from marketplace_app.schemas.base import parse
from marketplace_app.services.account import preferences
from marketplace_app.states.events.base import SIGNED_IN, Updates, action, read, toast, write
from marketplace_app.states.events.failures import On, Say, ShowView
from marketplace_app.states.events.viewer import ViewerState

NOT_SET = "Not set"


class PreferencesFormData(TypedDict, total=False):
    """The form's fields as Reflex passes them; a list holds every ticked box of that name."""

    experienceLevel: str
    toleranceLevel: str
    primaryUseTime: str
    desiredIntensity: str
    preferredTypes: list[str]
    preferredEffects: list[str]
    preferredFlavors: list[str]
    medicalConsent: bool
    medicalNeeds: list[str]
    avoidEffects: list[str]


class PreferencesState(rx.State):
    view: str = "loading"
    """loading, ready or failed"""
    is_saving: bool = False
    is_saved: bool = False
    """Preferences are saved, so the summary is shown."""
    experience_level: str = ""
    tolerance_level: str = ""
    primary_use_time: str = ""
    desired_intensity: int = DEFAULT_INTENSITY
    preferred_types: list[str] = []
    preferred_effects: list[str] = []
    preferred_flavors: list[str] = []
    medical_needs: list[str] = []
    avoid_effects: list[str] = []
    has_consented: bool = False
    """As saved."""
    is_consent_ticked: bool = False
    """As ticked in the form."""
    errors: dict[str, str] = {}
    """By field name, what is wrong with it."""
    form_key: int = 0
    """A React key: a new number rebuilds the form with the saved values."""
    facts: list[tuple[str, str]] = []
    """Types, experience, tolerance, intensity."""
    summary_effects: list[str] = []
    more_effects: str = ""
    """`+3 more`, or nothing."""
    _saved_at: datetime | None = None

    @action(
        who=SIGNED_IN,
        signed_out=messages.SIGN_IN_FOR_PREFERENCES,
        on_failure=ShowView("failed"),
    )
    async def load(self) -> Updates:
        """on_load and 'Try again'. A reconnect calls it too, and must not empty the form."""
        if not (await self.get_state(ViewerState))._has_reconnected:
            # The form is shown anew with what is saved: what was only ticked on an earlier visit is gone.
            self.is_consent_ticked, self.errors = self.has_consented, {}
        if self.view != "ready":
            self.view = "loading"
            yield None
        found = await read(self, preferences.show)
        if self.view != "ready" or found.saved_at != self._saved_at:
            self.form_key += 1
            self._show(found)

    @action(who=SIGNED_IN)
    async def tick_consent(self, given: bool) -> None:
        """Medical needs can be ticked only while consent is ticked."""
        self.is_consent_ticked = parse(ConsentToggle, {"given": given}).given

    async def _show_errors(self, error: InvalidInput) -> None:
        """Beside their fields, which keep what was filled in."""
        self.errors = error.fields

    @action(
        who=SIGNED_IN,
        signed_out=messages.SIGN_IN_FOR_PREFERENCES,
        on_failure=(On(InvalidInput, _show_errors), Say(messages.PREFERENCES_FAILED)),
    )
    async def save(self, form: PreferencesFormData) -> Updates:
        """Submit."""
        parsed = PreferencesForm.from_screen({**form, **self._in_saved_order(form)})
        self.is_saving, self.errors = True, {}
        yield None
        try:
            saved = await write(self, preferences.save, parsed)
        finally:
            self.is_saving = False
        self._show(saved)
        await toast(self, "success", messages.PREFERENCES_SAVED)

    def _in_saved_order(self, form: Mapping[str, Any]) -> dict[str, list[str]]:
        """Checkboxes arrive in the order of the page: a group with unchanged choices keeps the saved order."""
        saved = {
            "preferredTypes": self.preferred_types,
            "preferredEffects": self.preferred_effects,
            "preferredFlavors": self.preferred_flavors,
            "medicalNeeds": self.medical_needs,
            "avoidEffects": self.avoid_effects,
        }
        return {name: list(values) for name, values in saved.items() if sorted(form.get(name, [])) == sorted(values)}

    def _show(self, saved: PreferencesAnswer) -> None:
        self.experience_level = saved.experience_level or ""
        self.tolerance_level = saved.tolerance_level or ""
        self.primary_use_time = saved.primary_use_time or ""
        self.desired_intensity = saved.desired_intensity
        self.preferred_types, self.preferred_effects = list(saved.preferred_types), list(saved.preferred_effects)
        self.preferred_flavors, self.avoid_effects = list(saved.preferred_flavors), list(saved.avoid_effects)
        self.medical_needs = list(saved.medical_needs)
        self.has_consented = self.is_consent_ticked = saved.medical_consent
        self._summarize(saved)
        self.view = "ready"

    def _summarize(self, saved: PreferencesAnswer) -> None:
        """The first few effects and how many more; 'Not set' for what is missing (RULE preferences-summary)."""
        more = len(saved.preferred_effects) - SUMMARY_EFFECTS
        self.is_saved, self._saved_at = saved.saved_at is not None, saved.saved_at
        self.facts = [
            ("Types", ", ".join(saved.preferred_types) or NOT_SET),
            ("Experience", (saved.experience_level or NOT_SET).capitalize()),
            ("Tolerance", (saved.tolerance_level or NOT_SET).capitalize()),
            ("Intensity", f"{saved.desired_intensity}/{MAX_INTENSITY}"),
        ]
        self.summary_effects = list(saved.preferred_effects[:SUMMARY_EFFECTS])
        self.more_effects = f"+{more} more" if more > 0 else ""
