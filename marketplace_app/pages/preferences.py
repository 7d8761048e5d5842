"""`/preferences`: what a shopper likes, needs and wants to avoid."""

from enum import StrEnum
from typing import Any

import reflex as rx

from marketplace_app.components.controls.badges import badge
from marketplace_app.components.controls.buttons import pending_button
from marketplace_app.components.controls.facts import fact_list_from_state
from marketplace_app.components.controls.fields import checkbox_input, checkbox_set, field_error, select_field, slider
from marketplace_app.components.controls.links import link
from marketplace_app.components.controls.notices import failed_state, sign_in_notice
from marketplace_app.components.controls.skeletons import form_skeleton
from marketplace_app.components.shell.layout import page
from marketplace_app.components.shell.load_failure import unless_load_failed
from marketplace_app.limits import MAX_INTENSITY, MIN_INTENSITY
from marketplace_app.messages import SIGN_IN_FOR_PREFERENCES
from marketplace_app.models import (
    AvoidedEffect,
    Effect,
    ExperienceLevel,
    Flavor,
    MedicalNeed,
    Strain,
    ToleranceLevel,
    UseTime,
)
from marketplace_app.states.account.preferences import NOT_SET, PreferencesState
from marketplace_app.states.events.viewer import ViewerState


def _error(name: str) -> rx.Var[str]:
    return PreferencesState.errors.get(name, "")


def _card(heading: str, *rows: rx.Component) -> rx.Component:
    return rx.el.section(
        rx.el.h2(heading, class_name="text-h2"),
        *rows,
        class_name="grid gap-6 rounded-2 border border-line bg-surface p-4.5 md:p-7",
    )


def _level_select(label: str, name: str, levels: type[StrEnum], chosen: rx.Var[str]) -> rx.Component:
    options = [("", NOT_SET), *[(str(level), str(level).capitalize()) for level in levels]]
    return select_field(label, name, options, _error(name), default_value=chosen)


def _checkboxes(
    legend: str, name: str, options: type[StrEnum], chosen: rx.vars.ArrayVar[list[str]], **props: Any
) -> rx.Component:
    return checkbox_set(legend, name, [str(option) for option in options], chosen, _error(name), **props)


def _usage() -> rx.Component:
    return _card(
        "Experience & Usage",
        rx.el.div(
            _level_select("Experience level", "experienceLevel", ExperienceLevel, PreferencesState.experience_level),
            _level_select("Tolerance level", "toleranceLevel", ToleranceLevel, PreferencesState.tolerance_level),
            _level_select("Primary use time", "primaryUseTime", UseTime, PreferencesState.primary_use_time),
            class_name="grid gap-4 md:grid-cols-3",
        ),
        slider(
            "Desired intensity",
            "desiredIntensity",
            ("Mild", "Intense"),
            PreferencesState.desired_intensity,
            _error("desiredIntensity"),
            minimum=MIN_INTENSITY,
            maximum=MAX_INTENSITY,
        ),
    )


def _strains() -> rx.Component:
    return _card(
        "Strain Preferences",
        _checkboxes("Preferred types", "preferredTypes", Strain, PreferencesState.preferred_types),
        _checkboxes("Preferred effects", "preferredEffects", Effect, PreferencesState.preferred_effects),
        _checkboxes("Preferred flavors", "preferredFlavors", Flavor, PreferencesState.preferred_flavors),
    )


def _consent() -> rx.Component:
    box = rx.el.label(
        checkbox_input(
            name="medicalConsent",
            default_checked=PreferencesState.has_consented,
            on_change=PreferencesState.tick_consent,
            aria_describedby="medicalConsent-hint medicalConsent-error",
        ),
        "The store may keep my medical needs",
        class_name="flex min-h-11 cursor-pointer items-center gap-2.5 text-ui font-semibold",
    )
    hint = rx.el.p(
        "Only you can see them, and they are not used to pick products. To erase them, untick this box and save.",
        id="medicalConsent-hint",
        class_name="text-small text-ink-2",
    )
    return rx.el.div(box, hint, field_error(_error("medicalConsent"), "medicalConsent-error"))


def _wellness() -> rx.Component:
    needs = _checkboxes(
        "Medical needs",
        "medicalNeeds",
        MedicalNeed,
        PreferencesState.medical_needs,
        disabled=~PreferencesState.is_consent_ticked,
        # Rebuilt when saved consent changes, so that erased medical needs are unticked.
        key=rx.cond(PreferencesState.has_consented, "consented", "not-consented"),
    )
    return _card(
        "Medical & Wellness (optional)",
        rx.el.div(_consent(), needs, class_name="grid gap-3"),
        _checkboxes(
            "Effects to avoid",
            "avoidEffects",
            AvoidedEffect,
            PreferencesState.avoid_effects,
            hint="Products likely to cause them are never picked for you.",
        ),
    )


def _form() -> rx.Component:
    save = pending_button("Save Preferences", "Saving...", PreferencesState.is_saving, type="submit", size="lg")
    return rx.el.form(
        _usage(),
        _strains(),
        _wellness(),
        rx.el.div(save, class_name="grid md:justify-start"),
        key=PreferencesState.form_key.to_string(),
        no_validate=True,
        on_submit=PreferencesState.save,
        class_name="grid min-w-0 gap-5 md:gap-7",
    )


def _summary() -> rx.Component:
    effects = rx.el.div(
        rx.el.h3("Effects", class_name="mb-2 font-sans text-small font-semibold"),
        rx.cond(
            PreferencesState.summary_effects.length() > 0,
            rx.el.ul(
                rx.foreach(PreferencesState.summary_effects, lambda effect: rx.el.li(badge(effect), key=effect)),
                rx.cond(
                    PreferencesState.more_effects != "",
                    rx.el.li(PreferencesState.more_effects, class_name="text-small text-ink-2"),
                ),
                class_name="flex flex-wrap items-center gap-1.5",
            ),
            rx.el.p(NOT_SET, class_name="text-small text-ink-2"),
        ),
    )
    flavors = rx.el.div(
        rx.el.h3("Flavors", class_name="mb-1 font-sans text-small font-semibold"),
        rx.el.p(PreferencesState.preferred_flavors.join(", "), class_name="text-small"),
    )
    return rx.el.aside(
        rx.el.h2("Your Current Preferences", class_name="text-h3"),
        fact_list_from_state(PreferencesState.facts),
        effects,
        rx.cond(PreferencesState.preferred_flavors.length() > 0, flavors),
        aria_label="Your Current Preferences",
        class_name="grid content-start gap-4 lg:sticky lg:top-22",
    )


def _how_answers_are_used() -> rx.Component:
    """Shown beside the form until something is saved."""
    sentences = (
        "Picks for you match the types, effects and flavors that you like.",
        "Products likely to cause an effect you want to avoid are left out.",
        "Medical needs are kept only while you allow it, and are not used to pick products.",
    )
    return rx.el.aside(
        rx.el.h2("How your answers are used", class_name="text-h3"),
        rx.el.ul(*[rx.el.li(sentence) for sentence in sentences], class_name="grid gap-3 text-small text-ink-2"),
        link(
            "Manage privacy",
            href="/account/privacy",
            class_name="justify-self-start text-small text-brand-text underline",
        ),
        aria_label="How your answers are used",
        class_name="grid content-start gap-4 lg:sticky lg:top-22",
    )


def _body() -> rx.Component:
    failed = failed_state("Your preferences could not be loaded.", PreferencesState.load)
    left = rx.match(
        PreferencesState.view, ("ready", _form()), ("failed", failed), rx.el.div(form_skeleton(), class_name="pt-2")
    )
    aside = rx.cond(
        PreferencesState.view == "ready",
        rx.cond(PreferencesState.is_saved, _summary(), _how_answers_are_used()),
    )
    return rx.el.div(
        rx.el.h1("Preferences", class_name="text-h1"),
        rx.el.p(
            "Everything here is optional. It helps us pick products for you, and you can change it at any time.",
            class_name="mt-2 mb-6 max-w-text text-body text-ink-2",
        ),
        rx.el.div(
            unless_load_failed(left, aside),
            class_name="grid items-start gap-9 lg:grid-cols-[minmax(0,1fr)_340px] lg:gap-16",
        ),
        class_name="shell min-h-svh pt-8 pb-20",
    )


def preferences() -> rx.Component:
    return page(
        rx.cond(ViewerState.is_known & ~ViewerState.is_signed_in, sign_in_notice(SIGN_IN_FOR_PREFERENCES.text), _body())
    )
