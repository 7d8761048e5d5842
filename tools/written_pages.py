"""Writes what tools measure into pages of docs/ that are otherwise written by hand, between two markers."""

from pathlib import Path


def write_part(page: Path, name: str, content: str) -> None:
    """Replace what is between `<!-- NAME -->` and `<!-- end of NAME -->`.

    Raises ValueError, and leaves the page as it is, if it lacks one of them.
    """
    begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->\n"
    before, begins, rest = page.read_text().partition(begin)
    _, ends, after = rest.partition(end)
    if not begins or not ends:
        raise ValueError(f"{page} has no part between {begin.strip()} and {end.strip()}.")
    page.write_text(f"{before}{begin}\n{content.strip()}\n\n{end}{after}")
    print(f"Written into {page}.")
