"""Sends mail by SMTP or, without a mail server, writes it to files."""

import smtplib
import ssl
from email.message import EmailMessage
from pathlib import Path

from marketplace_app.config import Settings, SmtpSecurity, get_settings

TIMEOUT_SECONDS = 20


class MailNotSent(Exception):
    """The mail server could not be reached or refused the message; it may accept it later."""


def send(message: EmailMessage) -> None:
    """Send a message now, in this thread. Raises MailNotSent."""
    settings = get_settings()
    if not settings.smtp_host:
        _write(message, Path(settings.mail_folder))
        return
    try:
        with _connect(settings) as server:
            if settings.smtp_user:
                server.login(settings.smtp_user, settings.smtp_password.get_secret_value())
            server.send_message(message)
    except (OSError, smtplib.SMTPException) as error:
        raise MailNotSent(type(error).__name__) from error


def _connect(settings: Settings) -> smtplib.SMTP:
    address = settings.smtp_host, settings.smtp_port
    if settings.smtp_security is SmtpSecurity.TLS:
        return smtplib.SMTP_SSL(*address, timeout=TIMEOUT_SECONDS, context=ssl.create_default_context())
    server = smtplib.SMTP(*address, timeout=TIMEOUT_SECONDS)
    if settings.smtp_security is SmtpSecurity.STARTTLS:
        try:
            server.starttls(context=ssl.create_default_context())
        except (OSError, smtplib.SMTPException):
            server.close()
            raise
    return server


def _write(message: EmailMessage, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        name = str(message["Message-ID"]).strip("<>").partition("@")[0]
        (folder / f"{name}.eml").write_bytes(bytes(message))
    except OSError as error:
        raise MailNotSent(type(error).__name__) from error
