"""What a user likes and avoids (RULE preferences), one row per user."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import JSON, CheckConstraint
from sqlmodel import Field, SQLModel

from marketplace_app.clock import now
from marketplace_app.limits import DEFAULT_INTENSITY, MAX_INTENSITY, MIN_INTENSITY
from marketplace_app.models.base import TextEnum, UtcDateTime, one_of


class ExperienceLevel(StrEnum):
    BEGINNER = "beginner"
    INTERMEDIATE = "intermediate"
    ADVANCED = "advanced"


class ToleranceLevel(StrEnum):
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class UseTime(StrEnum):
    MORNING = "morning"
    AFTERNOON = "afternoon"
    EVENING = "evening"
    NIGHT = "night"


class Effect(StrEnum):
    HAPPY = "Happy"
    RELAXED = "Relaxed"
    EUPHORIC = "Euphoric"
    UPLIFTED = "Uplifted"
    CREATIVE = "Creative"
    FOCUSED = "Focused"
    ENERGETIC = "Energetic"
    TALKATIVE = "Talkative"
    CALM = "Calm"
    SLEEPY = "Sleepy"
    HUNGRY = "Hungry"
    GIGGLY = "Giggly"
    ALERT = "Alert"
    INSPIRED = "Inspired"


class Flavor(StrEnum):
    SWEET = "Sweet"
    CITRUS = "Citrus"
    EARTHY = "Earthy"
    PINE = "Pine"
    FLORAL = "Floral"
    SPICY = "Spicy"
    FRUITY = "Fruity"
    DIESEL = "Diesel"
    SKUNKY = "Skunky"
    VANILLA = "Vanilla"
    BERRY = "Berry"
    MINT = "Mint"
    WOODY = "Woody"
    TROPICAL = "Tropical"


class MedicalNeed(StrEnum):
    PAIN_RELIEF = "Pain Relief"
    ANXIETY = "Anxiety"
    INSOMNIA = "Insomnia"
    DEPRESSION = "Depression"
    STRESS = "Stress"
    APPETITE = "Appetite"
    NAUSEA = "Nausea"
    HEADACHES = "Headaches"
    INFLAMMATION = "Inflammation"
    PTSD = "PTSD"
    ADD_ADHD = "ADD/ADHD"
    CANCER = "Cancer"


class AvoidedEffect(StrEnum):
    PARANOIA = "Paranoia"
    ANXIETY = "Anxiety"
    DRY_MOUTH = "Dry Mouth"
    DRY_EYES = "Dry Eyes"
    DIZZINESS = "Dizziness"
    COUCH_LOCK = "Couch Lock"
    HEADACHE = "Headache"
    FATIGUE = "Fatigue"
    DROWSINESS = "Drowsiness"


LISTS = ("preferred_types", "preferred_effects", "preferred_flavors", "medical_needs", "avoid_effects")


def _is_list(column: str) -> CheckConstraint:
    return CheckConstraint(f"substr(CAST({column} AS TEXT), 1, 1) = '['", name=f"{column}_is_list")


class Preferences(SQLModel, table=True):
    """Medical needs are health data: they are stored only with consent, and erased when it is withdrawn."""

    __tablename__ = "preferences"
    __table_args__ = (
        one_of("experience_level", ExperienceLevel),
        one_of("tolerance_level", ToleranceLevel),
        one_of("primary_use_time", UseTime),
        CheckConstraint(
            f"desired_intensity BETWEEN {MIN_INTENSITY} AND {MAX_INTENSITY}", name="desired_intensity_range"
        ),
        *[_is_list(column) for column in LISTS],
        CheckConstraint(
            "medical_consent_at IS NOT NULL OR CAST(medical_needs AS TEXT) = '[]'", name="medical_needs_consented"
        ),
    )

    user_id: int = Field(primary_key=True, foreign_key="users.id", ondelete="CASCADE")
    experience_level: ExperienceLevel | None = Field(default=None, sa_type=TextEnum(ExperienceLevel))
    tolerance_level: ToleranceLevel | None = Field(default=None, sa_type=TextEnum(ToleranceLevel))
    primary_use_time: UseTime | None = Field(default=None, sa_type=TextEnum(UseTime))
    desired_intensity: int = Field(
        default=DEFAULT_INTENSITY, sa_column_kwargs={"server_default": str(DEFAULT_INTENSITY)}
    )
    preferred_types: list[str] = Field(default_factory=list, sa_type=JSON)
    preferred_effects: list[str] = Field(default_factory=list, sa_type=JSON)
    preferred_flavors: list[str] = Field(default_factory=list, sa_type=JSON)
    medical_needs: list[str] = Field(default_factory=list, sa_type=JSON, repr=False)
    medical_consent_at: datetime | None = Field(default=None, sa_type=UtcDateTime)
    avoid_effects: list[str] = Field(default_factory=list, sa_type=JSON)
    saved_at: datetime = Field(default_factory=now, sa_type=UtcDateTime)

    @property
    def medical_consent(self) -> bool:
        return self.medical_consent_at is not None
