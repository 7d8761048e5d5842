"""Encrypted backups, in the format of `age` (age-encryption.org).

The store has only the public key (`BACKUP_RECIPIENT`): whoever breaks into its machine cannot read earlier backups. The
secret key, without which nothing can be restored, is kept elsewhere.
"""

import argparse
import os
from pathlib import Path
from typing import Any

import pyrage

from marketplace_app.jobs.commands.console import OK, CommandError, say, say_on_stderr

HEADER = b"age-encryption.org/"


def add_parsers(commands: Any) -> None:
    description = "Make a key for encrypted backups: the secret one into FILE, the public one on stdout."
    parser = commands.add_parser("backup-key", help="make a key for encrypted backups", description=description)
    parser.add_argument("file", metavar="FILE", type=Path, help="a new file, to be kept away from the store's machine")
    parser.set_defaults(run=make_key)


def make_key(args: argparse.Namespace) -> int:
    identity = pyrage.x25519.Identity.generate()
    try:
        descriptor = os.open(args.file, os.O_CREAT | os.O_WRONLY | os.O_EXCL, 0o600)
    except OSError as error:
        raise CommandError(f"{args.file} could not be written: {error.strerror}.") from None
    with os.fdopen(descriptor, "w") as file:
        file.write(f"# public key: {identity.to_public()}\n{identity}\n")
    say_on_stderr(f"The secret key is in {args.file}: keep it, and copies of it, away from the store's machine.")
    say_on_stderr("Without it no encrypted backup can be restored. Set BACKUP_RECIPIENT to the public key:")
    say(str(identity.to_public()))
    return OK


def read_recipient(public_key: str) -> Any:
    """Whom `encrypt` encrypts for. Raises CommandError if it is not a public key."""
    try:
        return pyrage.x25519.Recipient.from_str(public_key)
    except pyrage.RecipientError:
        raise CommandError("BACKUP_RECIPIENT is not a public key of age (age1…). Make one with backup-key.") from None


def encrypt(source: Path, target: Path, recipient: Any) -> None:
    target.touch(0o600)
    pyrage.encrypt_file(str(source), str(target), [recipient])


def is_encrypted(file: Path) -> bool:
    with file.open("rb") as content:
        return content.read(len(HEADER)) == HEADER


def decrypt(source: Path, target: Path, identity_file: Path | None) -> None:
    if identity_file is None:
        raise CommandError("This backup is encrypted: name the file of its secret key with --identity.")
    target.touch(0o600)
    try:
        pyrage.decrypt_file(str(source), str(target), [_read_identity(identity_file)])
    except (pyrage.DecryptError, OSError) as error:
        if "No matching keys" in str(error):
            raise CommandError(f"The backup could not be decrypted with this key: {error}") from None
        if "(os error " in str(error):
            raise CommandError(f"The backup could not be read, or its content could not be written: {error}") from None
        raise CommandError(f"The backup is damaged or incomplete, so it could not be decrypted: {error}") from None


def _read_identity(file: Path) -> Any:
    try:
        lines = [line.strip() for line in file.read_text().splitlines()]
        [key] = [line for line in lines if line and not line.startswith("#")]
        return pyrage.x25519.Identity.from_str(key)
    except OSError as error:
        raise CommandError(f"{file} could not be read: {error.strerror}.") from None
    except (ValueError, pyrage.IdentityError):
        raise CommandError(f"{file} does not contain a secret key of age (AGE-SECRET-KEY-1…).") from None
