"""What the store says about runs and deliveries: to dispatchers, to drivers at a door, and to customers.

Messages to drivers are short and say what to do: they are read at a door, in the dark or in the rain.
"""

from collections.abc import Mapping

from marketplace_app.limits import MAX_WRONG_PINS
from marketplace_app.messages import Notice
from marketplace_app.models.runs import StopEventKind, StopFlag
from marketplace_app.money import show

# Reports from a door
MOMENT_EXPECTED = "A time with its time zone such as 2026-11-27T17:42:10Z is expected."
KIND_EXPECTED = "A step of a delivery, or `failed`, is expected."
KEY_EXPECTED = "A ULID is expected: 26 digits and capital letters."
PIN_EXPECTED = "A PIN of four digits is expected."
SIGNATURE_EXPECTED = "An SVG path is expected, such as M10 20L30 40."
DATA_EXPECTED: Mapping[StopEventKind, str] = {
    StopEventKind.ARRIVED: "No data is expected with this step.",
    StopEventKind.ID_CHECKED: "Three answers are expected: ofAge, nameMatches and notExpired.",
    StopEventKind.PIN_ENTERED: PIN_EXPECTED,
    StopEventKind.CASH_COUNTED: "The amount counted is expected.",
    StopEventKind.SIGNED: "A signature is expected.",
    StopEventKind.BAG_PLACED: "No data is expected with this step.",
    StopEventKind.FAILED: "A reason is expected.",
}
"""By the kind of event: what is expected of its data."""

# Answers to drivers
REFUSALS: Mapping[str, str] = {
    "step_missing": "A step before this one is missing. Go through the steps in order.",
    "id_not_accepted": "Do not hand over: this ID is not accepted. Ask for another ID, or choose “Couldn't Deliver”.",
    "pin_wrong": "Wrong PIN. Ask the customer to read it again from the order's page.",
    "cash_short": "Not enough cash. Count again, or choose “Couldn't Deliver”.",
    "change_not_kept": "This change cannot become credit. Give it back, or count again.",
    "stop_locked": "Locked after too many wrong PINs. Call dispatch.",
    "stop_ended": "This stop has ended already. Go to the next one.",
    "do_not_hand_over": "Do not hand over: the order was cancelled or recalled. Bring it back to the shop.",
    "sequence_taken": "Another phone has reported this step. Reload the run.",
}
"""The general sentence for each code of a refusal. The first answer to an event may be more specific
(`services/dispatch/steps.py`); an event that is sent again gets this general one."""
MISSING_STEPS: Mapping[StopEventKind, str] = {
    StopEventKind.ARRIVED: "First press “I'm here”.",
    StopEventKind.ID_CHECKED: "First look at the ID.",
    StopEventKind.PIN_ENTERED: "First ask for the door PIN.",
    StopEventKind.CASH_COUNTED: "First count the cash.",
    StopEventKind.SIGNED: "First ask for the signature.",
}
"""By the step that is missing: what to do first."""
STOP_NOT_FOUND = "This stop is not on your run. Reload the run."
NOT_OUT = "This stop is on no run that is out."
KEY_ELSEWHERE = "An event with this key has just arrived for another stop. Send it again with a new key."
NOTHING_TO_RELEASE = "This stop is neither locked nor flagged: a colleague may have released it."

# Problems on the board
FLAGS: Mapping[StopFlag, str] = {
    StopFlag.WRONG_PIN: "The PIN was wrong. Ask the driver and the customer, then release it and say what you found.",
    StopFlag.NO_PIN: "Entered from paper without a PIN. Ask the driver, then release it and say what you found.",
}
DELIVERED_WITH_WRONG_PIN = (
    "Delivered, but the PIN was wrong. Ask the driver and the customer, then release it and say what you found."
)
RECALLED = "Do not hand over: a product in this order was recalled. Bring it back to the shop."
ORDER_RECALLED = (
    "Do not hand over: a product in this order was recalled. "
    "Call the customer, then cancel the order, or change its batch before the run leaves."
)
CANCELLED_ON_THE_WAY = "Cancelled while it was out. The driver will bring it back."
STOP_LOCKED = "Locked after too many wrong PINs. Talk to the driver and the customer, then release it."

# Answers to customers: the ready question, and another delivery time
NOT_ASKED = "We have not asked yet whether you are ready. We ask two hours before your delivery time."
ORDER_OUT = "This order is on its way already, or has ended. Ask about this order, and we will see what can be done."
NO_DELIVERY_TIME = "This order was placed without a delivery time, so there is none to change."
READY = Notice("Thank you", "We know that you are ready.")
READY_NOT_SAVED = "Your answer could not be saved. Please try again."
READY_SAID = "You said that you are ready. Thank you. If that changes, choose another time or cancel."
TIME_NOT_CHANGED = "The delivery time could not be changed. Please try again."

# The driver's page
CASH_SHORT = "{missing} is missing. Count again, or choose “Couldn't Deliver”."
CANCELLED_AT_DOOR = "Cancelled. Do not hand over. Bring it back."
RECALLED_AT_DOOR = "Recalled. Do not hand over. Bring it back."
NO_RUN = "You are not out on a run. Your run will appear here when dispatch sends you out."
NOTHING_KEPT = "No connection, and no run is saved on this phone."
SIGN_IN_TO_SEND = "Sign in again. The steps saved on this phone will be sent then."
DRIVE_PAGE: Mapping[str, str] = {
    "saved": "Saved on this phone: {steps}",
    "oneStep": "1 step",
    "steps": "{count} steps",
    "sent": "Sent",
    "offline": "No connection",
    "left": "{open} of {all} stops left",
    "done": "All stops are done. Drive back to the shop.",
    "place": "Stop {position} of {last} · Order {order}",
    "window": "{from} to {to}",
    "bag": "In the bag: {count}",
    "progress": "Step {step} of {all}",
    "delivered": "Delivered.",
    "failed": "Couldn't deliver: {reason}. Bring it back.",
    "rowDelivered": "Delivered",
    "rowFailed": "Not delivered",
    "rowCancelled": "Cancelled",
    "rowRecalled": "Recalled",
    "rowLocked": "Locked",
    "rowRefused": "Step refused",
    "rowHere": "Here",
    "answerAll": "Answer all three questions.",
    "amountExpected": "Type the amount that you counted, such as 152.50.",
    "reasonMissing": "Choose a reason.",
    "nothingToCollect": "nothing",
    "gone": "A stop is no longer on your run, and {steps} of it could not be sent. Call dispatch.",
    "notSaved": "This phone cannot save your steps. Leave the private window, or use the paper sheet.",
    "leave": "Not sent yet: {steps} on this phone. Sign out and delete what is not sent?",
    "signOutFailed": "You could not be signed out. Try again when there is a connection.",
}
"""What `assets/drive.js` says, by the name that it uses."""


def failed(reason: str, when: str, advice: str = "Call the customer, then plan it again or cancel it.") -> str:
    """`Not home, Nov 27, 2026, 5:42 PM. Call the customer, then plan it again or cancel it.`"""
    return f"{reason}, {when}. {advice}"


def cash_short(missing_cents: int) -> str:
    return CASH_SHORT.format(missing=show(missing_cents))


def pin_wrong(wrong_pins: int) -> str:
    """`wrong_pins` counts this one too."""
    left = MAX_WRONG_PINS - wrong_pins
    if left <= 0:
        return "Wrong PIN. The stop is locked now: call dispatch."
    return f"Wrong PIN. Ask again: {left} {'try' if left == 1 else 'tries'} left."


def time_changed(time: str) -> Notice:
    return Notice("Time Changed", f"Your order will be delivered {time}.")


def window_advice(orders_of_one: int, orders_of_two: int) -> str:
    """How many orders one driver, and two drivers, can deliver in a window."""
    orders = "order" if orders_of_one == 1 else "orders"
    return f"One driver can deliver about {orders_of_one} {orders} in this window, two about {orders_of_two}."
