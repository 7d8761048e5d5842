"""Builders of test data with ordinary defaults."""

from datetime import timedelta
from typing import Any

from sqlmodel import Session

from marketplace_app import clock, db
from marketplace_app.config import get_settings
from marketplace_app.models import (
    Batch,
    BatchMovement,
    CreditEntry,
    CreditReason,
    JurisdictionVersion,
    Order,
    OrderStatus,
    OrderStatusChange,
    Product,
    ProductType,
    Role,
    Run,
    RunStop,
    ShopSetting,
    StockMovement,
    StockReason,
    TaxKind,
    User,
    Window,
    Zone,
    ZoneZip,
)
from marketplace_app.schemas.base import parse
from marketplace_app.schemas.buying.order_forms import OrderForm
from marketplace_app.schemas.delivery.slots import SlotId
from marketplace_app.schemas.jurisdictions.jurisdictions import RulesForm
from marketplace_app.schemas.jurisdictions.state_rules import Rounding, TaxComponent
from marketplace_app.services import accounts
from marketplace_app.services.buying import orders
from marketplace_app.services.products import products


def make_user(
    session: Session,
    name: str,
    *,
    role: Role = Role.CUSTOMER,
    is_banned: bool = False,
    is_age_verified: bool = True,
    referred_by: User | None = None,
) -> User:
    email = f"{name}@example.org"
    user = User(
        issuer="http://issuer.test",
        subject=email,
        verified_email=email,
        email=email,
        first_name=name.title(),
        role=role,
        granted_role=role,
        banned_at=clock.now() if is_banned else None,
        ban_reason="Resold products" if is_banned else "",
        age_verified_at=clock.now() if is_age_verified else None,
        referred_by_id=referred_by.id if referred_by else None,
    )
    accounts.update_search_text(user)
    session.add(user)
    session.flush()
    return user


_count = 0


def make_product(session: Session, name: str = "Fern Hollow", **values: Any) -> Product:
    global _count
    _count += 1
    stock = values.pop("stock", 20)
    product = Product(
        **{
            "sku": f"TST-{_count:05d}",
            "name": name,
            "description": "Cool pine and wet stone.",
            "price_cents": 60_00,
            "category": "THC Flower",
            "type": ProductType.INDICA,
            "image": "/pictures/fern-hollow",
            "rating_tenths": 46,
            "review_count": 128,
        }
        | values
    )
    products.save(session, product)
    products.set_opening_stock(session, product, stock)
    session.flush()
    return product


def make_batch(session: Session, product: Product, code: str = "A1", *, units: int = 0, **values: Any) -> Batch:
    """For a product without stock: units that it had before its first batch would belong to no batch."""
    batch = Batch(product_id=product.id, code=code, units=units, **values)
    product.has_batches = True
    product.stock += units
    session.add_all((batch, product))
    session.flush()
    if units:
        movement = StockMovement(product_id=product.id, change=units, reason=StockReason.ADJUST)
        session.add(movement)
        session.flush()
        session.add(BatchMovement(movement_id=movement.id, batch_id=batch.id, units=units))
        session.flush()
    return batch


_order_numbers = iter(range(5_000, 100_000))


def make_order(session: Session, user: User, cents: int, **values: Any) -> Order:
    order = Order(
        **{
            "number": next(_order_numbers),
            "user_id": user.id,
            "subtotal_cents": cents,
            "delivery_fee_cents": 0,
            "new_customer_discount_cents": 0,
            "referral_discount_cents": 0,
            "credit_applied_cents": 0,
            "total_cents": cents,
            "delivery_address": "214 Larch Street",
            "contact_phone": "503 555 0142",
            "delivery_instructions": "Side entrance",
            "payment_instructions": "Envelope",
            "customer_name": user.full_name,
            "customer_email": user.email,
            "estimated_delivery_at": clock.now() + timedelta(hours=48),
        }
        | values
    )
    session.add(order)
    session.flush()
    return order


def make_zone(session: Session, *zips: str, name: str = "East side", **amounts: int) -> Zone:
    zone = Zone(name=name, **amounts)
    session.add(zone)
    session.flush()
    session.add_all(ZoneZip(zip_code=zip_code, zone_id=zone.id) for zip_code in zips)
    session.flush()
    return zone


def make_window(session: Session, zone: Zone, **values: int) -> Window:
    """From 17:00 to 19:00, on tomorrow's weekday."""
    window = Window(
        **{
            "zone_id": zone.id,
            "weekday": (clock.today(get_settings().timezone) + timedelta(days=1)).weekday(),
            "opens_minute": 17 * 60,
            "closes_minute": 19 * 60,
            "cutoff_minutes": 0,
            "capacity": 10,
        }
        | values
    )
    session.add(window)
    session.flush()
    return window


def make_run(session: Session, driver: User, *orders: Order, is_out: bool = False) -> Run:
    """Today's, planned by its driver, with a stop for each order; if it is out, so are the orders."""
    at = clock.now()
    run = Run(
        day=clock.today(get_settings().timezone),
        driver_id=driver.id,
        planned_by_id=driver.id,
        planned_at=at,
        departed_at=at if is_out else None,
    )
    session.add(run)
    session.flush()
    for position, order in enumerate(orders, start=1):
        session.add(RunStop(run_id=run.id, order_id=order.id, position=position, added_at=at))
        if is_out and order.status is not OrderStatus.OUT_FOR_DELIVERY:
            before, order.status = order.status, OrderStatus.OUT_FOR_DELIVERY
            session.add(OrderStatusChange(order_id=order.id, from_status=before, to_status=order.status))
    session.flush()
    session.refresh(run, ["stops"])
    return run


def slot_id(window: Window) -> str:
    """The window's first day that is not today."""
    tomorrow = clock.today(get_settings().timezone) + timedelta(days=1)
    return SlotId(window.id, tomorrow + timedelta(days=(window.weekday - tomorrow.weekday()) % 7)).text


def make_rules(
    session: Session, state: str = "OR", *, days_ago: int = 0, is_reviewed: bool = True, **lines: Any
) -> JurisdictionVersion:
    """A version that allows delivery and cash on delivery. `lines`: further lines of its rules, by wire name."""
    values = {"delivery": True, "cashOnDelivery": True} | lines
    rules = {
        name: value if name in ("buckets", "taxes") else [{"value": value, "source": "test"}]
        for name, value in values.items()
    }
    today = clock.today(get_settings().timezone)
    version = JurisdictionVersion(
        state=state,
        valid_from=today - timedelta(days=days_ago),
        rules=parse(RulesForm, rules).wire(),
        source="test",
        checked_on=today,
        created_at=clock.now(),
        choices={} if is_reviewed else None,
        reviewed_at=clock.now() if is_reviewed else None,
    )
    session.add(version)
    session.flush()
    return version


def enforce_rules(session: Session) -> None:
    session.add(ShopSetting(name="enforce_jurisdiction", previous=0, value=1, reason="test"))
    session.flush()


def make_tax(**values: Any) -> TaxComponent:
    """10 % of all goods, added and rounded half up."""
    return TaxComponent(
        **{
            "code": "tax",
            "label": "Tax",
            "basis_points": 1_000,
            "base": ("items",),
            "rounding": Rounding.HALF_UP,
            "kind": TaxKind.ADDED,
            "categories": frozenset(),
            "credit_reduces_base": False,
        }
        | values
    )


def give_credit(session: Session, user: User, cents: int) -> None:
    session.add(CreditEntry(user_id=user.id, amount_cents=cents, reason=CreditReason.ADJUSTMENT, note="test"))
    session.flush()


def draft(*items: tuple[Product, int], **changes: Any) -> dict[str, Any]:
    """An order draft as a client sends it; `None` leaves a field out."""
    body: dict[str, Any] = {
        "items": [{"productId": product.id, "quantity": quantity} for product, quantity in items],
        "deliveryAddress": "214 Larch Street, Portland, OR 97201",
        "contactPhone": "503 555 0142",
        "deliveryInstructions": "Side entrance, the green door.",
        "paymentInstructions": "Envelope under the mat.",
    }
    return {name: value for name, value in (body | changes).items() if value is not None}


def order_form(*items: tuple[Product, int], **changes: Any) -> OrderForm:
    return parse(OrderForm, draft(*items, **changes))


def place_order(who: User, form: OrderForm, key: str | None = None) -> dict[str, Any]:
    """The order as its customer's client receives it, placed in a transaction of its own."""
    return dict(db.write(lambda session: orders.place(session, session.get(User, who.id), form, key=key)))
