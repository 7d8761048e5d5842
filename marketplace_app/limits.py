"""Business numbers, as docs/product names them. Money is in cents."""

from datetime import timedelta

MINIMUM_AGE_YEARS = 21
FIRST_BIRTH_YEAR = 1900
AGE_PASS_LIFETIME = timedelta(hours=24)

MINIMUM_ORDER_CENTS = 100_00
MAX_ORDER_CENTS = 10_000_000_00
"""Of products alone. Even if the fee and taxes double it, the total fits a 32-bit column."""
DELIVERY_FEE_CENTS = 25_00
FREE_DELIVERY_CENTS = 200_00
FIRST_PURCHASE_PERCENT = 25
REFERRAL_LINK_LIFETIME = timedelta(days=30)
REFERRAL_DISCOUNT_CENTS = 100_00
REFERRAL_CREDIT_CENTS = 100_00
DELIVERY_HOURS = 48
WEEKEND_DELIVERY_HOURS = 72
QUOTE_TOLERANCE_CENTS = 1

INVITATION_LIFETIME = timedelta(days=7)
MAX_INVITATION_NOTES = 1_000
MAX_INVITATION_LINES = 500
MAX_INVITATIONS_BYTES = 1024 * 1024
MAX_CREDIT_CENTS = 100_000_00
MAX_BAN_REASON = 500

SUPPORT_OPENS_HOUR = 9
SUPPORT_CLOSES_HOUR = 21
MAX_TICKET_SUBJECT = 200
MAX_TICKET_MESSAGE = 5_000
MAX_TICKET_MESSAGES = 200
MAX_GUEST_NAME = 160

MIN_INTENSITY, DEFAULT_INTENSITY, MAX_INTENSITY = 1, 5, 10
SUMMARY_EFFECTS = 8
RECOMMENDATIONS, MAX_RECOMMENDATIONS = 8, 24

MAX_PRODUCT_NAME, MAX_DESCRIPTION, MAX_BRAND = 120, 5_000, 80
MAX_PRICE_CENTS = 100_000_00
MAX_MILLIGRAMS, MAX_GRAMS = 100_000, 100_000
"""Of THC in a product, and of its net weight."""
LOW_STOCK = 10
LEDGER_PAGE_SIZE = 10
MAX_STOCK = 1_000_000
MAX_BATCH_CODE = 60
MAX_BATCHES = 1_000
MAX_BATCH_REASON = 200
CLOSE_THC_POINTS = 2
"""By how many percentage points of THC two batches may differ and still be close."""
MAX_LINE_QUANTITY = 99
MAX_ORDER_LINES = 50
MAX_NAME = 80
MAX_EMAIL = 254
MIN_PHONE, MAX_PHONE = 10, 40
MAX_ADDRESSES = 10
MAX_SAVED_PRODUCTS = 200
MAX_STOCK_ALERTS = 50
MAX_ADDRESS_LABEL = 40
MAX_INSTRUCTIONS = 1_000

MAX_SEARCH = 80
SUGGESTED_PRODUCTS, SUGGESTED_NAMES = 6, 3
MAX_SYNONYM_LENGTH = 40
MAX_SYNONYM_WORDS = 5
MAX_SYNONYMS = 500
MAX_REPLACEMENTS = 12
MAX_WINDOWS = 1_000
MAX_WINDOW_CAPACITY = 1_000
MAX_CUTOFF_MINUTES = 7 * 24 * 60
MAX_CLOSURES = 1_000
MAX_CLOSURE_REASON = 200
OFFERED_DAYS = 14
ALTERNATIVE_SLOTS = 3
MAX_OFFERED_SLOTS = 100
MAX_ZONES = 100
MAX_ZONE_NAME = 60
MAX_ZONE_ZIPS = 2_000
MAX_ZONE_CENTS = 10_000_00
MAX_RUN_STOPS = 60
MAX_RUNS_A_DAY = 100
MAX_VEHICLE = 60
MAX_WRONG_PINS = 5
LONGEST_RUN = timedelta(hours=12)
"""A time on a run sheet that is earlier than the departure belongs to the next day, if the run would then have lasted
no longer than this."""
RUN_SHEET_DAYS = 30
"""How long the files of run sheets are kept."""
MAX_STOP_NOTE, MAX_DRIVER_EVENTS = 500, 200
MAX_STOP_SEQUENCE = 1_000
MAX_SIGNATURE = 4_000
MAX_COUNTED_CENTS = 100_000_00
MAX_CASH_NOTE = 300
MAX_SLIP_NUMBER = 40
MAX_COUNTS_A_SHIFT = 2
LATEST_SHIFTS = 20
MAX_CASH_CENTS, MAX_PIECES = 1_000_000_00, 10_000
"""The most that is moved at once, and the most bills or coins of one value that are counted."""
MAX_CHANGE_KEPT_CENTS = 100_00
"""The most that a customer may overpay and keep as credit; anything above is taken for a typing error."""
READY_ASKED_BEFORE = timedelta(hours=2)
"""Customers are asked whether they are ready this long before their delivery window."""
MINUTES_A_STOP = 12
"""The drive to a stop and the time at the door, for the estimate of whether a promise is at risk."""
DRIVER_LOAD_PERCENT = 90
"""The share of a window's minutes that drivers are advised to plan for. With all of them, one promise in eleven would
be broken."""
PLANNED_BEFORE, OUT_BEFORE = timedelta(hours=2), timedelta(hours=1)
"""An order that is not planned, or not out, this long before its promised time is at risk."""
SEARCH_MISS_DAYS, MIN_MISS_DAYS = 90, 2
MAX_MISSES_A_DAY, MAX_LISTED_MISSES = 500, 100

SESSION_IDLE_LIFETIME = timedelta(hours=8)
SESSION_LIFETIME = timedelta(days=7)
SESSION_TOUCH_INTERVAL = timedelta(minutes=1)

PAGE_SIZE = 24
MAX_PAGE_SIZE = 100
MAX_UNPAGED_PRODUCTS = 1_000
MAX_UNPAGED_ORDERS = 1_000
MAX_BULK_ORDERS = 100
LATE_AFTER = timedelta(hours=4)
TOP_PRODUCTS = 5
RECENT_ENTRIES = 5
MAX_UNPAGED_USERS = 1_000
LATEST_PER_USER = 10
ORDERS_PAGE_SIZE = 10
TICKETS_PAGE_SIZE = 10
ADMIN_PAGE_SIZE = 25
MAX_UNCOUNTED_SHOWN = 10

MAIL_RETRY_MINUTES = (1, 5, 30, 120, 720)
MAIL_OVERDUE_AFTER = timedelta(minutes=15)
TASK_OVERDUE_AFTER = timedelta(minutes=15)
BACKUP_OVERDUE_AFTER = timedelta(hours=26)
"""A nightly backup may be up to two hours late."""
RECENT_AUDIT_ENTRIES = 500
MIN_FREE_BYTES, MIN_FREE_SHARE = 1_000_000_000, 0.05
"""A disk with less free space than either needs attention."""

INSTALL_PROMPT_AGAIN_AFTER = timedelta(days=7)
PRIVACY_NOTICE_DELAY = timedelta(seconds=2)

PICTURE_WIDTHS = (320, 640, 960)
"""In pixels. A photograph is stored in each of these widths, as a file of its own."""
MAX_PICTURE_BYTES = 5 * 1024 * 1024
MAX_PICTURE_PIXELS = 40_000_000
MAX_PICTURE_SIDE = 10_000
MAX_PDF_BYTES = 5 * 1024 * 1024
MAX_IMPORT_BYTES = 20 * 1024 * 1024
MAX_IMPORT_LINES = 50_000
SIGN_IN_REDIRECT_MS = 1_500
UNDO_MS = 10_000
SHORT_ID_CHARACTERS = 8
"""How many characters of the long id of an order or a ticket are shown, and searched for."""
MAX_LEGAL_TEXT = 40_000
"""Characters of one legal page: some twenty printed pages."""
