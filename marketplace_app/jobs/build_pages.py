"""Compiles the pages to static files: at the start of `make run`, and once for an image that has no Node.

    python -m marketplace_app.jobs.build_pages

builds them for a production store with none of its secrets: only BUILD_SETTINGS go into the pages.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from marketplace_app.config import get_settings
from marketplace_app.framework import environment
from marketplace_app.jobs import process_group
from marketplace_app.jobs.startup import ROOT, prepare_environment, settings_or_exit, use_npm_registry
from marketplace_app.secret_files import SECRETS

SOURCES = ("marketplace_app", "assets", "rxconfig.py", "requirements.txt")
LOCK = "reflex.lock/package-lock.json"
"""Also a source, but one that npm may write during a build."""
HASHED_SUFFIXES = (".py", ".js", ".css", ".html", ".json", ".svg", ".txt")
"""Files whose content goes into the fingerprint of a build. Of all other files, only the name and the size do."""
BUILD_SETTINGS = (
    "STORE_NAME",
    "UNDER_AGE_URL",
    "SUPPORT_EMAIL",
    "SUPPORT_PHONE",
    "ORIGINAL_HOST",
    "PREVIEW_DOMAIN",
    "ENVIRONMENT",
)
STAND_INS = {
    "PUBLIC_URL": "https://pages.internal",
    "OIDC_ISSUER": "https://pages.internal",
    "OIDC_CLIENT_ID": "pages",
    "OIDC_CLIENT_SECRET": "none",
    "ADMIN_EMAILS": "nobody@pages.internal",
    "WORKERS": "1",
}
"""For settings that production requires, but that are in no page."""


def main() -> None:
    prepare_environment()
    for name in SECRETS:
        os.environ[f"{name.upper()}_FILE"] = ""  # if it were removed, the one in `.env` would be read
    os.environ.update(STAND_INS, SESSION_SECRET=secrets.token_hex(32))
    settings_or_exit()
    build_pages()


def build_pages() -> None:
    """Compile the pages to static files, unless no source or setting that goes into them has changed."""
    from marketplace_app.framework import built_pages

    if _is_current(built_pages.STAMP) and built_pages.is_built():
        return
    _require_node()
    use_npm_registry()
    with _one_build_at_a_time():
        if _is_current(built_pages.STAMP) and built_pages.is_built():
            return
        print("Building the pages: a minute or two the first time, then seconds.")
        web = built_pages.STAMP.parents[1]
        _clean_up_build(web)
        if built_pages.is_built():
            _build_beside(web)
        else:
            _build_in(web)


def _is_current(stamp: Path) -> bool:
    return stamp.is_file() and stamp.read_text() == _fingerprint()


@contextlib.contextmanager
def _one_build_at_a_time() -> Iterator[None]:
    """Other builds in this checkout wait. A store that has waited finds the pages built."""
    folder = os.open(ROOT / "reflex.lock", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _build_in(web: Path) -> None:
    from marketplace_app.framework import built_pages

    before = _fingerprint(SOURCES)
    command = [sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip", "--loglevel", "warning"]
    with _keeping_formatting(ROOT / "reflex.lock" / "package.json"):
        if process_group.run(command, ROOT, environment.for_a_build(web)):
            raise SystemExit("The pages could not be built. See the output above.")
    # What was saved during the build may not be in the pages: without a stamp, the next start builds them again.
    if _fingerprint(SOURCES) == before:
        (web / "build" / built_pages.STAMP.name).write_text(_fingerprint())


def _build_beside(web: Path) -> None:
    """Build in a new folder, then rename it: Reflex begins by deleting the pages that processes of the store serve."""
    new, packages = _next_folder(web), "node_modules"
    shutil.copytree(web, new, symlinks=True, ignore=_ignore_at_top(web, "build", packages))
    try:
        if (web / packages).is_dir():
            (web / packages).rename(new / packages)
        _build_in(new)
    except BaseException:
        _clean_up_build(web)
        raise
    web.rename(_previous_folder(web))
    new.rename(web)
    _clean_up_build(web)


def _clean_up_build(web: Path) -> None:
    """Put back the packages and pages that a build has moved, and remove its folders, also after it was killed."""
    previous, new, packages = _previous_folder(web), _next_folder(web), "node_modules"
    if previous.is_dir() and not web.is_dir():
        previous.rename(web)
    if (new / packages).is_dir() and web.is_dir() and not (web / packages).exists():
        (new / packages).rename(web / packages)
    for folder in (previous, new):
        shutil.rmtree(folder, ignore_errors=True)


def _next_folder(web: Path) -> Path:
    return web.with_name(f"{web.name}-next")


def _previous_folder(web: Path) -> Path:
    return web.with_name(f"{web.name}-earlier")


def _ignore_at_top(web: Path, *names: str) -> Callable[[str, list[str]], Sequence[str]]:
    """For `shutil.copytree`: leaves these names out of `web` itself, but not out of the folders in it."""
    return lambda folder, _found: names if Path(folder) == web else ()


def _require_node() -> None:
    """Exit if there is no Node. A container image has none, since its pages are built once, with the image."""
    if shutil.which("npm") is None:
        print(
            "The pages do not fit this store, and there is no Node to build them again. They were built from other "
            f"sources, or with another value of {', '.join(BUILD_SETTINGS)}: set these when the image is built, and "
            "leave them as they are when it is started."
        )
        raise SystemExit(2)


@contextlib.contextmanager
def _keeping_formatting(file: Path) -> Iterator[None]:
    """A rebuild may write the same JSON in another order or spacing, and git would show the file as changed."""
    before = file.read_text()
    try:
        yield
    finally:  # also when the build failed
        if file.read_text() != before and json.loads(file.read_text()) == json.loads(before):
            file.write_text(before)


def _fingerprint(sources: Sequence[str] = (*SOURCES, LOCK)) -> str:
    digest = hashlib.sha256()
    for source in sources:
        path = ROOT / source
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(str(file.relative_to(ROOT)).encode())
                digest.update(str(file.stat().st_size).encode())
                digest.update(file.read_bytes() if file.suffix in HASHED_SUFFIXES else b"")
    settings = get_settings()
    for name in BUILD_SETTINGS:
        digest.update(f"{name}={getattr(settings, name.lower())}".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    main()
