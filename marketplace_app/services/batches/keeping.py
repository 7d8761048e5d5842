"""How staff keep batches: receive, edit, hold, release, correct (RULE batch-keeping)."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, or_, select
from sqlmodel import Session, col

from marketplace_app.adapters import live
from marketplace_app.errors import Conflict, EditedMeanwhile, InvalidInput, NotFound
from marketplace_app.limits import MAX_BATCHES, MAX_PAGE_SIZE, MAX_STOCK
from marketplace_app.messages import BATCH_NOT_FOUND
from marketplace_app.models import Batch, BatchState, Permission, Product, User
from marketplace_app.schemas.base import conflicting_fields
from marketplace_app.schemas.batches.batches import (
    BatchForm,
    BatchPage,
    BatchQuery,
    BatchView,
    HoldForm,
    ReceiveForm,
    UnitsForm,
    view_of,
)
from marketplace_app.services.accounts import require
from marketplace_app.services.batches import ledger, question_ends
from marketplace_app.services.batches.states import is_expired, state_of, today
from marketplace_app.services.records import announcements, audit_log
from marketplace_app.services.stock import lock_product


class TooManyBatches(Conflict):
    code = "too_many_batches"
    message = f"A product can have at most {MAX_BATCHES:,} batches."


class NotHeld(Conflict):
    code = "batch_not_held"
    message = "This batch is not held. Reload the page to see its state."


class BatchRecalled(Conflict):
    code = "batch_recalled"
    message = "This batch was recalled, so it stays set aside. Its details and units can still be corrected."


def list_all(session: Session, actor: User | None, query: BatchQuery) -> BatchPage:
    """The number of batches, and one page of them, the first to expire first."""
    require(actor, Permission.SEE_PRODUCTS)
    where = [] if query.product_id is None else [col(Batch.product_id) == query.product_id]
    total = session.execute(select(func.count()).select_from(Batch).where(*where)).scalar_one()
    order = (col(Batch.expires_on).is_(None), col(Batch.expires_on), col(Batch.id))
    page = select(Batch).where(*where).order_by(*order).limit(query.limit or MAX_PAGE_SIZE).offset(query.offset)
    return BatchPage(tuple(map(_view, session.execute(page).scalars())), total)


def get(session: Session, actor: User | None, batch_id: int) -> BatchView:
    """Raises NotFound."""
    require(actor, Permission.SEE_PRODUCTS)
    batch = session.get(Batch, batch_id, populate_existing=True)
    if batch is None:
        raise NotFound(BATCH_NOT_FOUND)
    return _view(batch)


def receive(session: Session, actor: User | None, form: ReceiveForm) -> BatchView:
    """A new batch with its units. From its first batch on, a product is kept in batches: what it had in stock before
    goes into a batch with the code `Unknown`. Raises NotFound, InvalidInput, TooManyBatches."""
    staff = require(actor, Permission.EDIT_BATCHES)
    product = lock_product(session, form.product_id)
    of_product = select(func.count()).select_from(Batch).where(col(Batch.product_id) == product.id)
    if session.execute(of_product).scalar_one() >= MAX_BATCHES:
        raise TooManyBatches()
    _require_room(product, form.units)
    if not product.has_batches:
        ledger.keep_in_batches(session, staff, product)
    _require_unused_code(session, product.id, form.code, 0)
    batch = Batch(product_id=product.id, **form.columns())
    session.add(batch)
    session.flush()
    ledger.correct(session, staff, product, batch, form.units, f"Received batch {batch.code}")
    return _record(session, staff, batch, "batch.received", code=batch.code, units=form.units)


def change(
    session: Session, actor: User | None, batch_id: int, form: BatchForm, *, seen: Mapping[str, Any] | None = None
) -> BatchView:
    """Replace the details of a batch; its units are set aside or released as its new state requires.

    `seen` are the values that a form was filled with.
    Raises NotFound, InvalidInput, EditedMeanwhile.
    """
    staff = require(actor, Permission.EDIT_BATCHES)
    product, batch = lock_batch(session, batch_id)
    if seen is not None and (fields := conflicting_fields(form, seen, _view(batch).values())):
        raise EditedMeanwhile(fields)
    _require_unused_code(session, product.id, form.code, batch.id)
    values = form.columns()
    changed = [name for name, value in values.items() if getattr(batch, name) != value]
    if not changed:
        return _view(batch)
    for name in changed:
        setattr(batch, name, values[name])
    _require_room_if_for_sale(product, batch, "isApproved" if "is_approved" in changed else "expiresOn")
    ledger.settle(session, staff, product, batch, "Batch edited")
    return _record(session, staff, batch, "batch.edited", code=batch.code, fields=changed)


def hold(session: Session, actor: User | None, batch_id: int, form: HoldForm) -> BatchView:
    """Set its units aside until it is released. Holding it again replaces the reason.

    Raises NotFound, BatchRecalled.
    """
    staff = require(actor, Permission.EDIT_BATCHES)
    product, batch = lock_batch(session, batch_id)
    require_not_recalled(batch)
    batch.hold_reason = form.reason
    ledger.settle(session, staff, product, batch, form.reason)
    return _record(session, staff, batch, "batch.held", code=batch.code, reason=form.reason)


def release(session: Session, actor: User | None, batch_id: int, form: HoldForm) -> BatchView:
    """Its units are for sale again, unless it has expired or is not approved.

    Raises NotFound, BatchRecalled, NotHeld, InvalidInput.
    """
    staff = require(actor, Permission.EDIT_BATCHES)
    product, batch = lock_batch(session, batch_id)
    require_not_recalled(batch)
    if not batch.hold_reason:
        raise NotHeld()
    batch.hold_reason = ""
    _require_room_if_for_sale(product, batch, "units")
    ledger.settle(session, staff, product, batch, form.reason)
    return _record(session, staff, batch, "batch.released", code=batch.code, reason=form.reason)


def correct(session: Session, actor: User | None, batch_id: int, form: UnitsForm) -> BatchView:
    """Add units to a batch or take some, with a reason. Raises NotFound, InvalidInput, OutOfStock."""
    staff = require(actor, Permission.EDIT_BATCHES)
    product, batch = lock_batch(session, batch_id)
    if form.change == 0:
        raise InvalidInput({"change": UnitsForm.MESSAGES["change"]})
    _require_room(product, form.change, "change")
    ledger.correct(session, staff, product, batch, form.change, form.note)
    details = {"code": batch.code, "change": form.change, "note": form.note}
    return _record(session, staff, batch, "batch.corrected", **details)


def set_expired_aside(session: Session) -> int:
    """Set aside the units of batches that have expired since the last run; returns the number of these batches.

    Open questions that offer such a batch are ended, even if it has no units left.
    """
    has_work = or_(col(Batch.units) > 0, col(Batch.id).in_(question_ends.OFFERED))
    expired = select(col(Batch.id)).where(is_expired(today()), has_work).order_by(col(Batch.product_id))
    set_aside, has_changed = [], False
    for batch_id in session.execute(expired).scalars().all():
        product, batch = lock_batch(session, batch_id)
        if state_of(batch, today()) is BatchState.EXPIRED:  # still, after waiting for the lock
            if batch.units:
                set_aside.append(batch)
            ledger.settle(session, None, product, batch, "Expired")
            has_changed = True
    for batch in set_aside:  # only now: the head of the audit trail is locked after all products
        audit_log.append(session, None, "batch.expired", f"batch:{batch.id}", code=batch.code)
    if has_changed:
        announcements.publish(session, live.STAFF)
    return len(set_aside)


def lock_batch(session: Session, batch_id: int) -> tuple[Product, Batch]:
    """Lock the product of a batch, then the batch, which is changed only under its product's lock. Raises NotFound."""
    of_batch = select(col(Batch.product_id)).where(col(Batch.id) == batch_id)
    product_id = session.execute(of_batch).scalar_one_or_none()
    if product_id is None:
        raise NotFound(BATCH_NOT_FOUND)
    product = lock_product(session, product_id)
    return product, session.get_one(Batch, batch_id, populate_existing=True, with_for_update=True)


def require_not_recalled(batch: Batch) -> None:
    """Raises BatchRecalled."""
    if batch.recalled_at is not None:
        raise BatchRecalled()


def _require_room_if_for_sale(product: Product, batch: Batch, field: str) -> None:
    """Require room for the units of a batch that are set aside, if they may now be sold. Raises InvalidInput."""
    if batch.set_aside and state_of(batch, today()) is BatchState.FOR_SALE:
        _require_room(product, batch.set_aside, field)


def _require_room(product: Product, units: int, field: str = "units") -> None:
    """Raises InvalidInput, with its sentence at this field of the form."""
    if product.stock + units > MAX_STOCK:
        raise InvalidInput({field: f"At most {MAX_STOCK:,} units can be in stock."})


def _require_unused_code(session: Session, product_id: int, code: str, batch_id: int) -> None:
    same = (col(Batch.product_id) == product_id, col(Batch.code) == code, col(Batch.id) != batch_id)
    if session.execute(select(col(Batch.id)).where(*same)).first() is not None:
        raise InvalidInput({"code": "Another batch of this product has this code."})


def _record(session: Session, staff: User, batch: Batch, action: str, **details: Any) -> BatchView:
    session.add(batch)
    audit_log.append(session, staff, action, f"batch:{batch.id}", **details)
    announcements.publish(session, live.STAFF)
    announcements.publish(session, live.product(batch.product_id))  # its page shows a batch's report
    return _view(batch)


def _view(batch: Batch) -> BatchView:
    return view_of(batch, state_of(batch, today()))
