"""The labels and kinds of the fields of `ProductForm`: the CSV, the owner's form, the answers of the API, the product
page and the audit trail follow from these."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

from marketplace_app import money
from marketplace_app.limits import (
    MAX_BRAND,
    MAX_DESCRIPTION,
    MAX_GRAMS,
    MAX_MILLIGRAMS,
    MAX_PRICE_CENTS,
    MAX_PRODUCT_NAME,
    MAX_STOCK,
)
from marketplace_app.models import Potency, ProductType, Strain
from marketplace_app.rule_messages import within_sentence


class Kind(Enum):
    LINE = auto()
    PROSE = auto()
    """Text with line breaks."""
    MONEY = auto()
    """Cents in the database, `49.99` everywhere else."""
    INTEGER = auto()
    NUMBER = auto()
    FLAG = auto()
    CHOICE = auto()
    """One of `FieldLabel.options`; if there are none, of values in the database (categories)."""
    ENTRIES = auto()
    """Several texts, such as effects."""


class FormPanel(Enum):
    """The panels of the owner's form."""

    BASICS = auto()
    STRENGTH_AND_STOCK = auto()
    CHARACTER = auto()
    PACKAGE_LABEL = auto()
    VISIBILITY = auto()


@dataclass(frozen=True)
class FieldLabel:
    label: str
    kind: Kind
    panel: FormPanel
    example: Any = None
    """For the documentation of the API, and for the error messages of the CSV import."""
    sentence: str = ""
    """The error message for an invalid value; if empty, a general one is used."""
    hint: str = ""
    options: tuple[str, ...] = ()
    row: str = ""
    """The label of the field's row on the product page; if empty, the field has no row there."""
    unit: str = ""
    """After the number in that row."""

    @property
    def label_in_text(self) -> str:
        """In the middle of a sentence: `net weight (g)`, but `THC %`."""
        return within_sentence(self.label)


LABELS: Mapping[str, FieldLabel] = {
    "name": FieldLabel(
        "Name",
        Kind.LINE,
        FormPanel.BASICS,
        "Fern Hollow",
        sentence=f"A name of 1 to {MAX_PRODUCT_NAME} characters is required.",
    ),
    "description": FieldLabel(
        "Description",
        Kind.PROSE,
        FormPanel.BASICS,
        "Cool pine over damp earth.",
        sentence=f"A description of at most {MAX_DESCRIPTION:,} characters is expected.",
    ),
    "price": FieldLabel(
        "Price",
        Kind.MONEY,
        FormPanel.BASICS,
        "49.99",
        sentence=f"A price between 0.01 and {money.decimal(MAX_PRICE_CENTS)} is required.",
    ),
    "category": FieldLabel("Category", Kind.CHOICE, FormPanel.BASICS, "THC Flower", sentence="A category is required."),
    "type": FieldLabel(
        "Type",
        Kind.CHOICE,
        FormPanel.BASICS,
        "Eighth (3.5g)",
        sentence=f"The type must be one of {', '.join(ProductType)}.",
        options=tuple(ProductType),
    ),
    "thc_percent": FieldLabel(
        "THC %",
        Kind.NUMBER,
        FormPanel.STRENGTH_AND_STOCK,
        22.5,
        sentence="THC must be between 0 and 100 percent.",
        row="THC",
        unit="%",
    ),
    "cbd_percent": FieldLabel(
        "CBD %",
        Kind.NUMBER,
        FormPanel.STRENGTH_AND_STOCK,
        0.1,
        sentence="CBD must be between 0 and 100 percent.",
        row="CBD",
        unit="%",
    ),
    "thc_mg": FieldLabel(
        "THC mg",
        Kind.INTEGER,
        FormPanel.STRENGTH_AND_STOCK,
        100,
        sentence=f"THC must be a whole number of milligrams between 0 and {MAX_MILLIGRAMS:,}.",
    ),
    "net_weight_grams": FieldLabel(
        "Net weight (g)",
        Kind.NUMBER,
        FormPanel.STRENGTH_AND_STOCK,
        3.5,
        sentence=f"The net weight must be above 0 and at most {MAX_GRAMS:,} grams.",
        row="Net weight",
        unit=" g",
    ),
    "stock": FieldLabel(
        "Stock",
        Kind.INTEGER,
        FormPanel.STRENGTH_AND_STOCK,
        40,
        sentence=f"Stock must be a whole number between 0 and {MAX_STOCK:,}.",
    ),
    "potency": FieldLabel(
        "Potency",
        Kind.CHOICE,
        FormPanel.STRENGTH_AND_STOCK,
        "Medium THC (20-25%)",
        sentence=f"The potency must be one of {', '.join(Potency)}, or empty to follow from THC.",
        options=tuple(Potency),
    ),
    "effects": FieldLabel("Effects", Kind.ENTRIES, FormPanel.CHARACTER, ["Relaxed", "Happy"], row="Effects"),
    "flavors": FieldLabel("Flavors", Kind.ENTRIES, FormPanel.CHARACTER, ["Pine"], row="Flavors"),
    "terpenes": FieldLabel(
        "Terpenes", Kind.ENTRIES, FormPanel.CHARACTER, ["Myrcene"], hint="Separated by commas.", row="Terpenes"
    ),
    "ingredients": FieldLabel(
        "Ingredients",
        Kind.PROSE,
        FormPanel.CHARACTER,
        "Cured flower.",
        sentence=f"Ingredients of at most {MAX_DESCRIPTION:,} characters are expected.",
    ),
    "brand": FieldLabel(
        "Brand",
        Kind.LINE,
        FormPanel.PACKAGE_LABEL,
        "Stillroom",
        sentence=f"A brand of at most {MAX_BRAND} characters is expected.",
        row="Brand",
    ),
    "sku": FieldLabel(
        "SKU",
        Kind.LINE,
        FormPanel.PACKAGE_LABEL,
        "FLW-0001",
        sentence="A SKU has up to 40 letters, digits, dots, dashes and underscores, the first a letter or digit.",
        hint="Generated if left empty. Imports find the product by it.",
    ),
    "strain": FieldLabel(
        "Strain",
        Kind.CHOICE,
        FormPanel.PACKAGE_LABEL,
        "Hybrid",
        sentence=f"The strain must be one of {', '.join(Strain)}, or empty.",
        options=tuple(Strain),
    ),
    "active": FieldLabel("Active", Kind.FLAG, FormPanel.VISIBILITY, sentence="Either true or false."),
    "featured": FieldLabel("Featured", Kind.FLAG, FormPanel.VISIBILITY, sentence="Either true or false."),
}
"""In the order of the owner's form."""


def of_kind(*kinds: Kind) -> tuple[str, ...]:
    return tuple(name for name, each in LABELS.items() if each.kind in kinds)
