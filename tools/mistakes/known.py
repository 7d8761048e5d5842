"""Mistakes that stores have been known to make, as changes to this one, and the tests that must notice each."""

from tools.mistakes.access import ACCESS
from tools.mistakes.dispatch import DISPATCH
from tools.mistakes.orders import ORDERS

MISTAKES = ORDERS + ACCESS + DISPATCH
