"""`rules`: versions of the rules of states (RULE state-rules), and the drafts that ship with the store."""

import argparse
import json
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import Any

from sqlmodel import Session

from marketplace_app import db
from marketplace_app.config import get_settings
from marketplace_app.errors import InvalidInput
from marketplace_app.jobs.commands import owners
from marketplace_app.jobs.commands.console import FAILURE, OK, CommandError, require_database, say, say_on_stderr
from marketplace_app.models import Permission, User
from marketplace_app.rule_messages import NOT_LEGAL_ADVICE
from marketplace_app.schemas.base import Form, parse
from marketplace_app.schemas.jurisdictions.jurisdictions import Option, RulesForm, VersionForm, VersionView
from marketplace_app.schemas.jurisdictions.rule_drafts import DraftForm, VersionRef
from marketplace_app.services.jurisdictions import drafts, versions


def add_parsers(commands: Any) -> None:
    description = "List the versions of the rules of states, or add, show and review one."
    parser = commands.add_parser("rules", help="manage the rules of states", description=description)
    parser.set_defaults(run=list_versions)
    actions = parser.add_subparsers(title="actions", metavar="ACTION")
    _add_drafts(actions)
    _add_add(actions)
    _add_show(actions)
    _add_review(actions)


def _add_drafts(actions: Any) -> None:
    description = "List the drafts that ship with the store, or print one, to be edited and added."
    parser = actions.add_parser("drafts", help="list the drafts that ship with the store", description=description)
    parser.add_argument("state", metavar="STATE", nargs="?", help="print the draft of this state")
    parser.set_defaults(run=show_drafts)


def _add_add(actions: Any) -> None:
    description = "Add a version. It counts for nothing until it is reviewed, and is never changed or removed."
    parser = actions.add_parser("add", help="add a version", description=description)
    parser.add_argument(
        "draft", metavar="STATE|FILE", help="a state with a draft, or a TOML file like that of `rules drafts`"
    )
    parser.add_argument("--valid-from", metavar="DAY", type=_day, help="the day it counts from, instead of the draft's")
    _add_by(parser)
    parser.set_defaults(run=add)


def _add_show(actions: Any) -> None:
    description = "Show each line of a version with its values and their sources."
    parser = actions.add_parser("show", help="show a version", description=description)
    parser.add_argument("id", metavar="ID", type=_number)
    parser.set_defaults(run=show)


def _add_review(actions: Any) -> None:
    description = "Mark a version as reviewed, with a value for each line that has several. It counts from its day on."
    parser = actions.add_parser("review", help="mark a version as reviewed", description=description)
    parser.add_argument("id", metavar="ID", type=_number)
    parser.add_argument(
        "--choose",
        metavar="LINE=N",
        type=_choice,
        nargs="+",
        action="extend",
        default=[],
        help="the value of a line, by its number in `rules show`, such as vehicleValue=0",
    )
    _add_by(parser)
    parser.set_defaults(run=review)


def _add_by(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--by", metavar="EMAIL", required=True, help="the owner who does this, for the audit trail")


def _number(text: str) -> int:
    try:
        return parse(VersionRef, {"id": int(text)}).id
    except (InvalidInput, ValueError):
        raise argparse.ArgumentTypeError("the number of a version is expected, as `rules` lists them") from None


def _day(text: str) -> date:
    try:
        return parse(DraftForm, {"state": "", "validFrom": text}).valid_from
    except InvalidInput as refused:
        raise argparse.ArgumentTypeError(refused.fields["validFrom"]) from None


def _choice(text: str) -> tuple[str, int]:
    line, _, number = text.partition("=")
    if not line or not (number.isascii() and number.isdigit()):
        raise argparse.ArgumentTypeError("a line and a number are expected, such as vehicleValue=0")
    return line, int(number)


def list_versions(_args: argparse.Namespace) -> int:
    require_database()
    listed = db.read(versions.list_for_operator)
    for version in listed:
        say(f"{_summary(version)}.")
    if not listed:
        say_on_stderr("There are no rules yet. `rules drafts` lists those that ship with the store.")
    return OK


def _summary(version: VersionView) -> str:
    words = [f"{version.id}: {version.state}", f"valid from {version.valid_from}"]
    if version.reviewed_at:
        return ", ".join([*words, f"reviewed by {version.reviewed_by} on {_store_date(version.reviewed_at)}"])
    return ", ".join([*words, "not reviewed", *_to_choose(RulesForm.model_validate(version.rules))])


def _store_date(moment: datetime) -> date:
    return moment.astimezone(get_settings().timezone).date()


def _to_choose(rules: RulesForm) -> Sequence[str]:
    lines = rules.open_choices()
    return [f"to choose: {' '.join(lines)}"] if lines else []


def show_drafts(args: argparse.Namespace) -> int:
    if args.state:
        say(drafts.text(_known_draft(args.state)).rstrip("\n"))
        return OK
    say_on_stderr(NOT_LEGAL_ADVICE)
    for state in drafts.list_states():
        form = drafts.read(state)
        words = [state, f"checked on {form.checked_on}", *_to_choose(form.rules)]
        say(f"{', '.join(words)}.")
    return OK


def _known_draft(state: str) -> str:
    if state.upper() not in drafts.list_states():
        raise CommandError(f"There is no draft for {state}, only for {', '.join(drafts.list_states())}.")
    return state.upper()


def add(args: argparse.Namespace) -> int:
    try:
        form = _read(args.draft)
    except InvalidInput as refused:
        return _print_fields(refused)
    if args.valid_from:
        form = form.model_copy(update={"valid_from": args.valid_from})
    added = _write(args.by, lambda session, owner: versions.add(session, owner, form))
    say(f"Added {_summary(added)}. Review it with `rules review {added.id}`.")
    return OK


def _read(draft: str) -> VersionForm:
    """What has a dot or a slash is a file, everything else a state."""
    if "." not in draft and "/" not in draft:
        return drafts.read(_known_draft(draft))
    try:
        return drafts.read_text(Path(draft).read_text(encoding="utf-8"))
    except OSError as error:
        raise CommandError(f"{draft}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise CommandError(f"{draft} is not a text file in UTF-8.") from None


def show(args: argparse.Namespace) -> int:
    require_database()
    version = db.read(lambda session: versions.get_for_operator(session, args.id))
    say(f"{_summary(version)}.")
    say(f"Checked on {version.checked_on}: {version.source}")
    rules, choices = RulesForm.model_validate(version.rules), version.choices or {}
    for line, options in rules.lines().items():
        for text in _line_texts(line, options, choices):
            say(text)
    for bucket in rules.buckets:
        say(f"buckets.{bucket.code}: {_json(bucket, {'code', 'limit'})}")
    for tax in rules.taxes:
        say(f"taxes.{tax.code}: {_json(tax, {'code', 'rate'})}")
    return OK


def _json(form: Form, without: set[str]) -> str:
    """The form as JSON with the names that a TOML file uses, without fields that have their default."""
    return json.dumps(form.model_dump(mode="json", by_alias=True, exclude=without, exclude_defaults=True))


def _line_texts(line: str, options: Sequence[Option[Any]], choices: Mapping[str, int]) -> list[str]:
    values = [(json.dumps(option.model_dump(mode="json", by_alias=True)["value"]), option.source) for option in options]
    if len(values) == 1:
        [(value, source)] = values
        return [f"{line}: {value} ({source})"]
    chosen = choices.get(line)
    return [
        f"{line}={number}{', chosen' if number == chosen else ''}: {value} ({source})"
        for number, (value, source) in enumerate(values)
    ]


def review(args: argparse.Namespace) -> int:
    choices = dict(args.choose)
    if len(choices) < len(args.choose):
        raise CommandError("A line was chosen twice. Nothing was reviewed.")
    try:
        done = _write(args.by, lambda session, owner: versions.review(session, owner, args.id, choices))
    except InvalidInput as refused:
        return _print_fields(refused)
    say(f"Reviewed {_summary(done)}.")
    return OK


def _write(email: str, work: Callable[[Session, User], VersionView]) -> VersionView:
    require_database()
    return db.write(lambda session: work(session, owners.find_actor(session, email, Permission.EDIT_RULES)))


def _print_fields(refused: InvalidInput) -> int:
    for path, sentence in refused.fields.items():
        say_on_stderr(f"{path}: {sentence}")
    return FAILURE
