"""What staff read about cash and the shifts of drivers."""

from collections.abc import Mapping

from marketplace_app import money
from marketplace_app.limits import MAX_CASH_CENTS, MAX_CASH_NOTE, MAX_PIECES, MAX_SLIP_NUMBER
from marketplace_app.messages import Notice
from marketplace_app.models import CashAccount, CashReason

AMOUNT_EXPECTED = f"Enter an amount of at most {money.show_short(MAX_CASH_CENTS)}, such as 120.50."
PIECES_EXPECTED = f"Enter how many, 0 to {MAX_PIECES:,}."
UNKNOWN_PIECE = "There is no such bill or coin. Name each by its value in cents, such as 2000."
REASON_EXPECTED = f"Say why, in 1 to {MAX_CASH_NOTE} characters."
NOTE_TOO_LONG = f"Enter at most {MAX_CASH_NOTE} characters."
WITNESS_EXPECTED = "Choose a colleague who has seen the cash. It must be someone other than you."
WITNESS_COUNTED = "This colleague has counted the cash. Choose another one who has seen it."
KIND_EXPECTED = "Choose where the cash goes."
SLIP_EXPECTED = f"Enter the number of the bank's slip, 1 to {MAX_SLIP_NUMBER} characters."
SLIP_NOT_EXPECTED = "Only the bank's deposits and withdrawals have a slip. Leave this empty."
ACCOUNT_EXPECTED = "Choose the desk or the safe."

SHIFT_NOT_FOUND = "This shift does not exist. Please reload the page."
SHIFT_ALREADY_OPEN = "This driver has an open shift already. Count and close that one first."
SHIFT_ALREADY_CLOSED = "This shift has been closed already. Please reload the page."
NOT_A_DRIVER = "This person may not drive. Choose somebody who may."
OWN_SHIFT = "This is your own shift. Ask a colleague to count it."
CARRIES_CASH = "You carry cash of the shop. When your shift has been counted and closed, you can delete your account."
COUNTED_TWICE = "This shift has been counted twice. Close it with a reason and a witness."
COUNT_AGREES = "This shift has been counted, and the count agrees. Close it."
NOT_COUNTED = "Count the cash first."
RECOUNT_NEEDED = "The count does not match the expected amount. Please count again."
SAME_AMOUNT = "The ledger says the same amount, so there is nothing to correct."
FAR_OFF = f"This differs from the ledger by more than {money.show_short(MAX_CASH_CENTS)}. Move cash first, then count."

SHIFT_OPENED = Notice("Shift opened")
SHIFT_CLOSED = Notice("Shift closed")
CASH_MOVED = Notice("Cash moved")
CASH_CORRECTED = Notice("The ledger follows your count")
NOT_SAVED = "This could not be saved. Please try again."

ACCOUNTS: Mapping[CashAccount, str] = {
    CashAccount.CUSTOMERS: "customer",
    CashAccount.DRIVER: "driver",
    CashAccount.DESK: "desk",
    CashAccount.SAFE: "safe",
    CashAccount.BANK: "bank",
    CashAccount.VARIANCE: "over and short",
    CashAccount.BEFORE_LEDGER: "earlier balance",
}
REASONS: Mapping[CashReason, str] = {
    CashReason.TAKEN: "Paid",
    CashReason.RETURNED: "Paid back",
    CashReason.CHANGE_KEPT: "Change kept as credit",
    CashReason.CHANGE_RETURNED: "Kept change returned",
    CashReason.FLOAT: "Float",
    CashReason.HANDED_IN: "Handed in",
    CashReason.SHORTAGE: "Missing",
    CashReason.SURPLUS: "Too much",
    CashReason.DROP: "Drop to safe",
    CashReason.DEPOSIT: "Deposit at the bank",
    CashReason.WITHDRAWAL: "Withdrawal from the bank",
    CashReason.REFILL: "From safe to desk",
    CashReason.CORRECTION: "Corrected by a count",
    CashReason.PAID_BEFORE_LEDGER: "Paid before this ledger",
}


def difference(cents: int) -> str:
    """`$5.00 short`, `$2.00 over`, or `no difference`."""
    if not cents:
        return "no difference"
    return f"{money.show(abs(cents))} {'over' if cents > 0 else 'short'}"


def not_enough(account: str, cents: int) -> str:
    """`The desk has $120.00 by the ledger. If there is more, count it first.`"""
    return f"The {account} has {money.show(cents)} by the ledger. If there is more, count it first."
