"""The tables. Importing this package registers all of them."""

from marketplace_app.models.addresses import Address
from marketplace_app.models.audit_log import AuditEntry
from marketplace_app.models.batches import (
    Batch,
    BatchMovement,
    BatchQuestion,
    BatchState,
    LineBatch,
    QuestionOutcome,
)
from marketplace_app.models.carts import CartLine
from marketplace_app.models.cash import CashAccount, CashMovement, CashReason, DriverShift, ShiftCount
from marketplace_app.models.counters import Counter
from marketplace_app.models.credits import CreditEntry, CreditReason
from marketplace_app.models.invitations import Invitation, InvitationStatus
from marketplace_app.models.jurisdictions import JurisdictionVersion, OrderLegalRecord, OrderTax, TaxKind, ZipPlace
from marketplace_app.models.legal_texts import LegalPage, LegalText
from marketplace_app.models.orders import IdempotencyKey, Order, OrderLine, OrderStatus, OrderStatusChange
from marketplace_app.models.outbox import OutboxMessage
from marketplace_app.models.preferences import (
    AvoidedEffect,
    Effect,
    ExperienceLevel,
    Flavor,
    MedicalNeed,
    Preferences,
    ToleranceLevel,
    UseTime,
)
from marketplace_app.models.products import (
    Category,
    Hue,
    LabReport,
    Potency,
    Product,
    ProductType,
    StockMovement,
    StockReason,
    Strain,
)
from marketplace_app.models.roles import PERMISSIONS, Permission, Role
from marketplace_app.models.runs import (
    EventResult,
    EventSource,
    FailureReason,
    Run,
    RunStop,
    StopEvent,
    StopEventKind,
    StopFlag,
    StopOutcome,
)
from marketplace_app.models.saved import SavedProduct, StockAlert
from marketplace_app.models.searches import SearchMiss, Synonym
from marketplace_app.models.settings import ShopSetting
from marketplace_app.models.slots import OrderDelivery, Slot, Substitution
from marketplace_app.models.tickets import (
    SenderType,
    Ticket,
    TicketCategory,
    TicketMessage,
    TicketPriority,
    TicketStatus,
)
from marketplace_app.models.timetable import TimetableTask
from marketplace_app.models.users import ErasedIdentity, SignInSession, User
from marketplace_app.models.windows import Closure, Window
from marketplace_app.models.zones import Zone, ZoneZip

__all__ = [
    "PERMISSIONS",
    "Address",
    "AuditEntry",
    "AvoidedEffect",
    "Batch",
    "BatchMovement",
    "BatchQuestion",
    "BatchState",
    "CartLine",
    "CashAccount",
    "CashMovement",
    "CashReason",
    "Category",
    "Closure",
    "Counter",
    "CreditEntry",
    "CreditReason",
    "DriverShift",
    "Effect",
    "ErasedIdentity",
    "EventResult",
    "EventSource",
    "ExperienceLevel",
    "FailureReason",
    "Flavor",
    "Hue",
    "IdempotencyKey",
    "Invitation",
    "InvitationStatus",
    "JurisdictionVersion",
    "LabReport",
    "LegalPage",
    "LegalText",
    "LineBatch",
    "MedicalNeed",
    "Order",
    "OrderDelivery",
    "OrderLegalRecord",
    "OrderLine",
    "OrderStatus",
    "OrderStatusChange",
    "OrderTax",
    "OutboxMessage",
    "Permission",
    "Potency",
    "Preferences",
    "Product",
    "ProductType",
    "QuestionOutcome",
    "Role",
    "Run",
    "RunStop",
    "SavedProduct",
    "SearchMiss",
    "SenderType",
    "ShiftCount",
    "ShopSetting",
    "SignInSession",
    "Slot",
    "StockAlert",
    "StockMovement",
    "StockReason",
    "StopEvent",
    "StopEventKind",
    "StopFlag",
    "StopOutcome",
    "Strain",
    "Substitution",
    "Synonym",
    "TaxKind",
    "Ticket",
    "TicketCategory",
    "TicketMessage",
    "TicketPriority",
    "TicketStatus",
    "TimetableTask",
    "ToleranceLevel",
    "UseTime",
    "User",
    "Window",
    "ZipPlace",
    "Zone",
    "ZoneZip",
]
