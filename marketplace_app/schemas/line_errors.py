"""Mistakes in an uploaded file, line by line."""

from typing import Annotated, Any

from pydantic import Field
from pydantic.dataclasses import dataclass


@dataclass(frozen=True)
class LineError:
    line: Annotated[int, Field(description="The line with the column names is 1.", examples=[12])]
    column: Annotated[str, Field(description="Empty if the line as a whole is wrong.", examples=["email"])]
    message: Annotated[str, Field(examples=["A valid email address is required"])]

    def wire(self) -> dict[str, Any]:
        return {"line": self.line, "column": self.column, "message": self.message}
