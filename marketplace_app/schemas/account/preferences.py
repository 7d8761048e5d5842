"""Preferences, as sent and as shown. Saving replaces all of them: a field that is left out becomes unset."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from marketplace_app.limits import MAX_INTENSITY, MIN_INTENSITY
from marketplace_app.messages import CONSENT_NEEDED
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
from marketplace_app.schemas.base import Form, Moment, View, parse


def _one_of(options: type[StrEnum]) -> BeforeValidator:
    known = frozenset(options)

    def check(value: object) -> object:
        if value is None:
            return None
        if not isinstance(value, str) or value not in known:
            raise ValueError(f"please choose one of: {', '.join(options)}")
        return options(value)

    return BeforeValidator(check)


def _some_of(options: type[StrEnum]) -> BeforeValidator:
    """A list of some of `options`, each at most once, in the order in which they were sent."""
    known = frozenset(options)

    def check(value: object) -> list[str]:
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(each, str) and each in known for each in value):
            raise ValueError(f"please choose any of: {', '.join(options)}")
        if len(set(value)) < len(value):
            raise ValueError("please choose each at most once")
        return [str(each) for each in value]

    return BeforeValidator(check)


class ConsentToggle(Form):
    given: bool


class PreferencesForm(Form):
    """All preferences. `medicalConsentAt` is read-only; it is accepted so that an answer can be sent back unchanged."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {
        "experienceLevel": "intermediate",
        "toleranceLevel": "medium",
        "primaryUseTime": "evening",
        "desiredIntensity": 6,
        "preferredTypes": ["Hybrid"],
        "preferredEffects": ["Relaxed", "Happy"],
        "preferredFlavors": ["Citrus"],
        "avoidEffects": ["Couch Lock"],
        "medicalConsent": False,
        "medicalNeeds": [],
    }

    experience_level: Annotated[ExperienceLevel | None, _one_of(ExperienceLevel)] = None
    tolerance_level: Annotated[ToleranceLevel | None, _one_of(ToleranceLevel)] = None
    primary_use_time: Annotated[UseTime | None, _one_of(UseTime)] = None
    desired_intensity: Annotated[int, Field(ge=MIN_INTENSITY, le=MAX_INTENSITY)] | None = None
    preferred_types: Annotated[list[str], _some_of(Strain)] = []
    preferred_effects: Annotated[list[str], _some_of(Effect)] = []
    preferred_flavors: Annotated[list[str], _some_of(Flavor)] = []
    avoid_effects: Annotated[list[str], _some_of(AvoidedEffect)] = []
    medical_consent: bool = False
    medical_consent_at: Annotated[str, Field(max_length=40)] | None = None
    medical_needs: Annotated[list[str], _some_of(MedicalNeed), Field(repr=False)] = []

    @field_validator("medical_needs")
    @classmethod
    def _needs_consent(cls, needs: list[str], info: ValidationInfo) -> list[str]:
        if needs and not info.data.get("medical_consent"):
            raise ValueError(CONSENT_NEEDED)
        return needs

    @classmethod
    def from_screen(cls, submitted: object) -> "PreferencesForm":
        """From a submitted page: unset choices are empty, and the slider's number is text. Raises InvalidInput."""
        if not isinstance(submitted, Mapping):
            return parse(cls, submitted)
        given = {name: value for name, value in submitted.items() if value != ""}
        intensity = given.get("desiredIntensity")
        if isinstance(intensity, str) and intensity.isascii() and intensity.isdigit() and len(intensity) <= 3:
            given["desiredIntensity"] = int(intensity)
        return parse(cls, given)


class PreferencesAnswer(View):
    experience_level: ExperienceLevel | None = Field(examples=["intermediate"])
    tolerance_level: ToleranceLevel | None = Field(examples=["medium"])
    primary_use_time: UseTime | None = Field(examples=["evening"])
    desired_intensity: int = Field(examples=[6])
    preferred_types: tuple[Strain, ...] = Field(examples=[["Indica", "Hybrid"]])
    preferred_effects: tuple[Effect, ...] = Field(examples=[["Relaxed", "Happy"]])
    preferred_flavors: tuple[Flavor, ...] = Field(examples=[["Citrus", "Pine"]])
    medical_needs: tuple[MedicalNeed, ...] = Field(examples=[[]], repr=False)
    avoid_effects: tuple[AvoidedEffect, ...] = Field(examples=[["Couch Lock"]])
    medical_consent: bool = Field(examples=[False])
    medical_consent_at: Moment | None = Field(examples=[None])
    saved_at: datetime | None = Field(None, exclude=True)
    """None if they were never saved."""
