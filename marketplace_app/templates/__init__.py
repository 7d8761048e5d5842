"""Jinja2 templates of mails and of pages outside the compiled application; HTML is escaped."""

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

_TEMPLATES = Environment(
    loader=PackageLoader(__name__, ""),
    autoescape=select_autoescape(["html"]),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)


def render(template: str, /, **values: object) -> str:
    """Raises `jinja2.UndefinedError` for a value that the template uses and the caller left out."""
    return _TEMPLATES.get_template(template).render(values)
