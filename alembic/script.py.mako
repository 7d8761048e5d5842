<%
    sentence = f"{message[:1].upper()}{message[1:].rstrip('.')}."

    def statements(code):
        """Without the comments that Alembic puts around what it has written."""
        return "\n".join(line for line in (code or "").splitlines() if "# ###" not in line).strip() or "pass"
%>"""${sentence}"""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}


def upgrade() -> None:
    ${statements(upgrades)}


def downgrade() -> None:
    ${statements(downgrades)}
