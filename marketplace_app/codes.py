"""Codes and tokens that leave the store."""

import hashlib
import secrets

# No 0/O, 1/I/L: people read these aloud.
REFERRAL_ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789"
REFERRAL_LENGTH = 8


def new_referral_code() -> str:
    return "".join(secrets.choice(REFERRAL_ALPHABET) for _ in range(REFERRAL_LENGTH))


def new_token() -> str:
    """256 random bits, as text for a cookie."""
    return secrets.token_urlsafe(32)


def fingerprint(text: str) -> str:
    """SHA-256 in hex: what is stored in place of a token, and what tells two request bodies apart."""
    return hashlib.sha256(text.encode()).hexdigest()
