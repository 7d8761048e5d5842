"""How many orders drivers can do in a delivery window: advice to whoever sets its capacity (RULE window-advice)."""

from marketplace_app.limits import DRIVER_LOAD_PERCENT, MINUTES_A_STOP


def orders_of(drivers: int, minutes: int) -> int:
    """Only a part of the window is planned for each driver, since stops take longer than expected as often as not."""
    return drivers * (minutes * DRIVER_LOAD_PERCENT // (100 * MINUTES_A_STOP))
