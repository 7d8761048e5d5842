"""The demo store: categories, sixty-odd products, their stock and lab reports. Written only to an empty catalogue."""

import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import delete, func, select
from sqlmodel import Session, col

from marketplace_app import clock, codes, db
from marketplace_app.models import (
    Category,
    Hue,
    Invitation,
    InvitationStatus,
    LabReport,
    Potency,
    Product,
    ProductType,
    Strain,
)
from marketplace_app.schemas.account.invitations import InvitationForm
from marketplace_app.services.account import invitations
from marketplace_app.services.products import products

DEMO = Path(__file__).parent / "demo" / "products.toml"
DEMO_INVITED = "robin@example.com"
NOT_DETECTED = "Not Detected"
# Name, hue, and position in the filter panel: 0 for inactive categories, which only give a colour (RULE categories).
CATEGORIES = (
    ("THC Flower", Hue.PURPLE, 1),
    ("Pre-Rolls", Hue.GREEN, 2),
    ("Concentrates", Hue.GREEN, 4),
    ("Vapes", Hue.GREEN, 5),
    ("Edibles", Hue.ORANGE, 3),
    ("CBD", Hue.GREEN, 0),
    ("THC", Hue.PURPLE, 0),
    ("Topicals", Hue.BLUE, 0),
    ("Accessories", Hue.GREY, 0),
)


def seed_if_empty() -> int:
    """Returns how many products were written: none if there are some already."""
    return db.write(_seed)


def renew_demo_invitation() -> str:
    """Write a new invitation for trying out sign-up; returns its code. Unused ones of earlier starts are deleted."""

    def renew(session: Session) -> str:
        session.execute(
            delete(Invitation).where(
                col(Invitation.email) == DEMO_INVITED, col(Invitation.status) == InvitationStatus.PENDING
            )
        )
        form = InvitationForm(email=DEMO_INVITED, firstName="Robin")
        code = codes.new_invitation_code()
        invitations.write(session, form, code)
        return code

    return db.write(renew)


def _seed(session: Session) -> int:
    if session.execute(select(func.count()).select_from(Product)).scalar_one():
        return 0
    for position, (name, hue, panel_position) in enumerate(CATEGORIES, start=1):
        is_active = panel_position > 0
        session.add(Category(name=name, hue=hue, position=position, panel_position=panel_position, is_active=is_active))
    session.flush()
    entries = read_demo()
    for days_old, entry in enumerate(entries):
        _add(session, entry, days_old)
    return len(entries)


def read_demo() -> list[dict[str, Any]]:
    return list(tomllib.loads(DEMO.read_text(encoding="utf-8"))["product"])


def details_of(entry: dict[str, Any]) -> dict[str, Any]:
    """The columns that a demo product has in common with its variations in the large shop (`jobs/seed_scale.py`)."""
    return {
        "description": entry["description"],
        "ingredients": entry.get("ingredients", ""),
        "category": entry["category"],
        "type": ProductType(entry["type"]),
        "strain": Strain(entry["strain"]) if entry.get("strain") else None,
        "brand": entry.get("brand", ""),
        "net_weight_grams": entry.get("net_weight_grams"),
        "thc_percent": entry.get("thc_percent"),
        "cbd_percent": entry.get("cbd_percent"),
        "thc_mg": entry.get("thc_mg"),
        "effects": entry.get("effects", []),
        "flavors": entry.get("flavors", []),
        "terpenes": entry.get("terpenes", []),
        "image": f"/pictures/{entry['slug']}",
    }


def _add(session: Session, entry: dict[str, Any], days_old: int) -> None:
    product = Product(
        sku=entry["sku"],
        name=entry["name"],
        price_cents=entry["price_cents"],
        potency=Potency(entry["potency"]) if entry.get("potency") else None,
        rating_tenths=round(float(entry["rating"]) * 10),
        review_count=entry["review_count"],
        is_featured=entry.get("featured", False),
        created_at=clock.now() - timedelta(days=days_old),
        **details_of(entry),
    )
    products.save(session, product)
    products.set_opening_stock(session, product, entry["stock"])
    if "lab_lot" in entry:
        session.add(
            LabReport(
                product_id=product.id,
                lot=entry["lab_lot"],
                reported_on=entry["lab_reported_on"],
                pesticides=NOT_DETECTED,
                heavy_metals=NOT_DETECTED,
                residual_solvents=NOT_DETECTED,
                microbials=NOT_DETECTED,
            )
        )
