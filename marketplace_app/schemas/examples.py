"""Example values for the API documentation, by a field's name. A name used with several types has one of each."""

from collections.abc import Mapping
from typing import Any

_MOMENT = "2026-11-20T17:40:00Z"

_EXAMPLES: Mapping[str, tuple[Any, ...]] = {
    "acceptedEmail": ("robin@example.com",),
    "actorId": (3,),
    "banReason": ("",),
    "by": ("Ada Whitfield",),
    "cashRounding": ("0.00",),
    "category": ("THC Flower",),
    "city": ("Portland",),
    "code": ("first_purchase",),
    "column": ("price",),
    "completedReferrals": (2,),
    "contactPhone": ("503 555 0142",),
    "count": (12,),
    "created": (2,),
    "customerEmail": ("shopper@example.com",),
    "customerName": ("Nora Whitfield",),
    "deliveryAddress": ("214 Larch Street, Portland, OR 97201",),
    "deliveryFee": ("25.00",),
    "deliveryHours": (48,),
    "deliveryInstructions": ("Side entrance, the green door.",),
    "email": ("shopper@example.com",),
    "entries": (1_204,),
    "entryId": (88,),
    "first": (12,),
    "firstName": ("Nora",),
    "firstPurchasePercent": (25,),
    "freeDelivery": ("200.00",),
    "hash": ("6f1c9a0b27d4",),
    "hours": ([0, 0, 3],),
    "id": (7, "9f3c21ab-58d1-4c1e-9d1a-0c6f2be4a711"),
    "imageUrl": ("/pictures/fern-hollow-640.webp",),
    "invitationDays": (7,),
    "inviteUrl": ("http://localhost:8000/invite/ABCD1234",),
    "lastName": ("Whitfield",),
    "latePendingOrders": (1,),
    "line": (12,),
    "lines": (2,),
    "lot": ("5712",),
    "lowStockProducts": (4,),
    "message": ("It was due at noon.",),
    "minimumOrder": ("100.00",),
    "name": ("Fern Hollow",),
    "newCustomers": (9,),
    "note": ("Two jars were broken",),
    "notes": ("Met at the market",),
    "number": (4821,),
    "orderId": ("9f3c21ab-58d1-4c1e-9d1a-0c6f2be4a711",),
    "orderNumber": (4821,),
    "paymentInstructions": ("Envelope under the mat.",),
    "previousHash": ("0d93b1c2e8aa",),
    "price": ("48.00",),
    "productId": (1,),
    "quantity": (2,),
    "reason": ("25% of 170.00, on your first purchase",),
    "referralCredit": ("100.00",),
    "referralDiscount": ("100.00",),
    "referredBy": (5,),
    "result": ("Not Detected",),
    "returning": (31,),
    "reviewCount": (214,),
    "state": ("OR",),
    "stock": (40,),
    "stockAfter": (38,),
    "street": ("214 Larch Street",),
    "subject": ("Where is my order?",),
    "supportClosesHour": (21,),
    "supportOpensHour": (9,),
    "tags": (["driver"],),
    "total": (66, "152.50"),
    "totalOrders": (3,),
    "totalSpent": ("456.00",),
    "type": ("Hybrid",),
    "unchanged": (967,),
    "untestedProducts": (2,),
    "unwrittenLegalPages": (2,),
    "updated": (31,),
    "urgentTickets": (1,),
    "userId": (7,),
    "value": ("THC Flower",),
    "verifiedEmail": ("shopper@example.com",),
    "version": (3,),
    "weekendDeliveryHours": (72,),
    "why": ("Its words were changed.",),
    "zip": ("97201",),
}
_PYTHON_TYPES = {"integer": int, "number": float, "string": str, "array": list}


def add_missing(properties: Mapping[str, dict[str, Any]]) -> None:
    """Add an example to each field of an answer's schema that has none, if there is one of its type.

    Changes the dicts in `properties`.
    """
    for name, schema in properties.items():
        if "examples" in schema:
            continue
        kinds = schema.get("anyOf", [schema])
        if any(kind.get("format") == "date-time" for kind in kinds):
            schema["examples"] = [_MOMENT]
            continue
        types = tuple(_PYTHON_TYPES[kind["type"]] for kind in kinds if kind.get("type") in _PYTHON_TYPES)
        fitting = [example for example in _EXAMPLES.get(name, ()) if isinstance(example, types)]
        if fitting:
            schema["examples"] = fitting[:1]
