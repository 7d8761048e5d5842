"""How an amount is paid in cash: which bills and coins to bring (RULE prepare-cash)."""

from collections.abc import Sequence

from marketplace_app import money

BILLS = (100_00, 50_00, 20_00, 10_00, 5_00, 1_00)
COINS = (25, 10, 5, 1)
DENOMINATIONS = BILLS + COINS
"""Every bill and coin, by its value in cents."""
ATM_BILL = 20_00
"""What ATMs dispense."""
NOTHING_DUE = "There is nothing to pay."


def fewest(cents: int, denominations: Sequence[int] = DENOMINATIONS) -> tuple[tuple[int, int], ...]:
    """Each bill and coin with how many are needed, the largest first. For the bills and coins of the dollar, always
    taking the largest that fits gives the fewest."""
    counts = []
    for denomination in denominations:
        count, cents = divmod(cents, denomination)
        if count:
            counts.append((denomination, count))
    return tuple(counts)


def request(cents: int, why: str = "") -> str:
    """`Please have exactly $152.50 in cash ready.`, or that nothing is due, as when credit pays for everything.

    `why` follows `ready`, with its punctuation.
    """
    return f"Please have exactly {money.show(cents)} in cash ready{why}." if cents else NOTHING_DUE


def advice(cents: int) -> tuple[str, ...]:
    """For whoever pays the amount at the door: the fewest bills and coins, and how to get them. Nothing if nothing is
    due."""
    return tuple(filter(None, (prepare(cents), from_atm(cents))))


def prepare(cents: int) -> str:
    """`Prepare $152.50: 1 × $100, 1 × $50, 2 × $1, 2 × 25¢.`; empty if there is nothing to pay."""
    if not cents:
        return ""
    pieces = ", ".join(f"{count} × {face(denomination)}" for denomination, count in fewest(cents))
    return f"Prepare {money.show(cents)}: {pieces}."


def from_atm(cents: int) -> str:
    """`From an ATM: 7 × $20, and $12.50 in smaller bills and coins.`; empty below the bill that it dispenses."""
    count, rest = divmod(cents, ATM_BILL)
    if not count:
        return ""
    smaller = f", and {money.show(rest)} in smaller bills and coins" if rest else ""
    return f"From an ATM: {count} × {money.show_short(ATM_BILL)}{smaller}."


def face(denomination: int) -> str:
    """`$20`, `25¢`"""
    return money.show_short(denomination) if denomination >= BILLS[-1] else f"{denomination}¢"
