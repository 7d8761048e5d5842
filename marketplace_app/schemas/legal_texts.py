"""Legal texts, as owners write them and as they are shown.

A text is plain: a line that begins with `# ` is a heading, lines that begin with `- ` are a list, an empty line ends a
paragraph. Everything else is shown as it is; there is no other markup.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, ConfigDict, Field

from marketplace_app.limits import MAX_LEGAL_TEXT
from marketplace_app.models import LegalPage
from marketplace_app.schemas.base import Form, MomentText, View
from marketplace_app.schemas.texts import refuse_control_characters

HEADING, ITEM = "# ", "- "


class BlockKind(StrEnum):
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"


@dataclass(frozen=True)
class Block:
    """A part of a page. A list has items, the other kinds have a text."""

    kind: str
    text: str = ""
    items: tuple[str, ...] = ()


def blocks_of(body: str) -> tuple[Block, ...]:
    """The blocks of a text, in order."""
    blocks: list[Block] = []
    lines: list[str] = []

    def end_paragraph() -> None:
        if lines:
            blocks.append(Block(BlockKind.PARAGRAPH, " ".join(lines)))
            lines.clear()

    for line in map(str.strip, body.splitlines()):
        if line.startswith(HEADING):
            end_paragraph()
            blocks.append(Block(BlockKind.HEADING, line.removeprefix(HEADING).strip()))
        elif line.startswith(ITEM):
            end_paragraph()
            item = line.removeprefix(ITEM).strip()
            earlier = blocks.pop().items if blocks and blocks[-1].kind == BlockKind.LIST else ()
            blocks.append(Block(BlockKind.LIST, items=(*earlier, item)))
        elif line:
            lines.append(line)
        else:
            end_paragraph()
    end_paragraph()
    return tuple(blocks)


def _with_plain_line_breaks(text: str) -> str:
    """Browsers send two characters for a line break. Other control characters are refused."""
    return refuse_control_characters(text.replace("\r\n", "\n"))


class LegalTextForm(Form):
    """A new version of one page. `version` is the one that was edited: 0 when there was none."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"body": "# Who may buy\n\nAdults aged 21 or older.", "version": 0}
    MESSAGES: ClassVar[Mapping[str, str]] = {"body": f"Enter 1 to {MAX_LEGAL_TEXT:,} characters."}

    body: Annotated[str, AfterValidator(_with_plain_line_breaks), Field(min_length=1, max_length=MAX_LEGAL_TEXT)]
    version: Annotated[int, Field(ge=0, le=1_000_000)]


class LegalDraft(Form):
    """An unpublished text, for the preview."""

    body: Annotated[str, AfterValidator(_with_plain_line_breaks), Field(max_length=MAX_LEGAL_TEXT)] = ""


class LegalPageParams(Form):
    """`/admin/legal?page=privacy&version=2`: an older version is shown, not edited."""

    model_config = ConfigDict(strict=False, extra="ignore")

    page: LegalPage = LegalPage.TERMS
    version: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class LegalTextAnswer(View):
    page: str = Field(examples=["terms"])
    title: str = Field(examples=["Terms of Service"])
    version: int
    body: str = Field(examples=["# Who may buy\n\nAdults aged 21 or older."])
    published_at: MomentText = Field(examples=["2026-11-20T11:40:00Z"])


# One line of a page's history. The author is named for staff only.
class LegalVersion(View):
    version: int
    author: str = Field(examples=["Ada"])
    published_at: MomentText = Field(examples=["2026-11-20T11:40:00Z"])
