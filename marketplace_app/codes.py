"""Random codes and tokens, and the hashes that are stored in place of texts."""

import hashlib
import hmac
import secrets

# No 0/O, 1/I/L: people read these aloud.
CODE_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
CODE_LENGTH = 8


def new_referral_code() -> str:
    return _random_code()


def normalize_referral_code(text: str) -> str:
    """The code as it is stored: upper case, without the spaces and dashes that people put in."""
    return "".join(character for character in text.upper() if character not in " -\t\u00a0")


def is_referral_code(text: str) -> bool:
    """Whether the text has the form of a referral code, not whether it is anybody's code."""
    return len(text) == CODE_LENGTH and set(text) <= set(CODE_ALPHABET)


def new_sku() -> str:
    """For a product without one."""
    return f"P-{_random_code()}"


def _random_code() -> str:
    return "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_LENGTH))


def new_invitation_code() -> str:
    """128 random bits, as text for a URL."""
    return secrets.token_urlsafe(16)


def new_token() -> str:
    """256 random bits, as text for a cookie."""
    return secrets.token_urlsafe(32)


def fingerprint(text: str) -> str:
    """SHA-256 in hex: what is stored in place of a token, and what tells two request bodies apart."""
    return hashlib.sha256(text.encode()).hexdigest()


def keyed_hash(text: str, key: str) -> str:
    """A hash that nobody without the key can reverse by trying likely texts."""
    return hmac.new(key.encode(), text.encode(), hashlib.sha256).hexdigest()
