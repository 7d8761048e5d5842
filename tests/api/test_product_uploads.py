"""Uploaded pictures are checked, encoded again and served safely; PDFs of lab reports are checked, and downloaded."""

import errno
import re
import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from PIL import Image, ImageCms
from PIL.PngImagePlugin import PngInfo
from sqlmodel import Session

from marketplace_app.adapters import pictures, storage
from marketplace_app.components.admin.products.product_side import product_picture
from marketplace_app.errors import Unavailable
from marketplace_app.models import Product
from tests.api.admin.test_products import REPORT, actions
from tests.builders import make_product
from tests.conftest import ON_SQLITE

pytestmark = pytest.mark.slow

PDF = b"%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n"
CUT_METADATA = b"Exif\0\0MM\0*"
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.fixture(autouse=True)
def folder(configure: Callable[..., None], tmp_path: Path) -> Path:
    configure(UPLOADS=str(tmp_path))
    return tmp_path


@pytest.fixture
def fern(session: Session) -> Product:
    product = make_product(session)
    session.commit()
    return product


def photo(kind: str = "JPEG", size: tuple[int, int] = (900, 1200), mode: str = "RGB", **options: Any) -> bytes:
    file = BytesIO()
    Image.new(mode, size, (30, 120, 60, 128)[: len(mode)]).save(file, kind, **options)
    return file.getvalue()


def png_text(keyword: str, *, is_international: bool = False) -> PngInfo:
    """A text chunk of a PNG with the name of some metadata: Pillow takes it for that metadata, though it is a str."""
    info = PngInfo()
    (info.add_itxt if is_international else info.add_text)(keyword, "x")
    return info


def bomb() -> bytes:
    """A PNG of a few hundred bytes that claims 30,000 x 30,000 pixels."""
    head = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(b"\0" * 9_000)), (b"IEND", b""))
    chunks = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def upload(ada: TestClient, fern: Product, content: bytes, name: str = "fern.jpg") -> httpx.Response:
    return ada.put(f"/api/admin/products/{fern.id}/image", files={"file": (name, content, "image/jpeg")})


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


@ON_SQLITE
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "AVIF"])
def test_a_picture_is_resized_to_the_widths_of_the_product_list(
    ada: TestClient, client: TestClient, fern: Product, kind: str
) -> None:
    answer = upload(ada, fern, photo(kind))
    assert answer.status_code == 200
    url = answer.json()["imageUrl"]
    assert re.fullmatch(r"/uploads/pictures/[0-9a-f]{32}-640\.webp", url)
    assert client.get(f"/api/products/{fern.id}").json()["imageUrl"] == url
    for width in (320, 640, 960):
        served = client.get(url.replace("640", str(width)))
        assert served.headers["Content-Type"] == "image/webp"
        assert served.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert served.headers["X-Content-Type-Options"] == "nosniff"
        assert "sandbox" in served.headers["Content-Security-Policy"]
        with Image.open(BytesIO(served.content)) as image:
            assert (image.format, image.size) == ("WEBP", (width, width * 5 // 4))


@ON_SQLITE
def test_the_body_itself_may_be_the_picture(ada: TestClient, fern: Product) -> None:
    headers = {"Content-Type": "image/png"}
    answer = ada.put(f"/api/admin/products/{fern.id}/image", content=photo("PNG"), headers=headers)
    assert answer.status_code == 200


@ON_SQLITE
def test_another_picture_has_another_url(ada: TestClient, fern: Product) -> None:
    first, same = upload(ada, fern, photo()).json(), upload(ada, fern, photo()).json()
    other = upload(ada, fern, photo(mode="L")).json()
    assert first["imageUrl"] == same["imageUrl"] != other["imageUrl"]


@ON_SQLITE
def test_a_picture_is_rotated_upright_and_loses_its_metadata(
    ada: TestClient, client: TestClient, fern: Product
) -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "Secret camera"
    sideways = Image.new("RGB", (1200, 960), (200, 0, 0))
    sideways.paste((0, 0, 200), (0, 0, 600, 960))
    file = BytesIO()
    sideways.save(file, "JPEG", exif=exif, quality=95)
    url = upload(ada, fern, file.getvalue()).json()["imageUrl"]
    content = client.get(url).content
    assert b"Secret" not in content
    with Image.open(BytesIO(content)) as image:
        assert not image.getexif()
        red, _, blue = image.convert("RGB").getpixel((320, 100))  # type: ignore[misc]
        assert blue > red  # the left half became the top


@ON_SQLITE
def test_a_picture_is_rotated_whatever_else_its_metadata_says(
    ada: TestClient, client: TestClient, fern: Product
) -> None:
    """The resolution is text here, which Pillow reads but cannot write."""
    tags = (struct.pack(">HHLHH", 0x0112, 3, 1, 6, 0), struct.pack(">HHL4s", 0x011A, 2, 3, b"72\0\0"))
    exif = b"Exif\0\0MM\0*" + struct.pack(">LH", 8, len(tags)) + b"".join(tags) + bytes(4)
    url = upload(ada, fern, photo(size=(1200, 100), dpi=(72, 72), exif=exif)).json()["imageUrl"]
    with Image.open(BytesIO(client.get(url).content)) as image:
        above, middle = (image.convert("RGB").getpixel((320, y)) for y in (10, 400))
        assert above == pytest.approx(middle, abs=8)  # upright, it is as high as the frame


@ON_SQLITE
def test_grey_of_sixteen_bits_is_as_bright_as_before(ada: TestClient, client: TestClient, fern: Product) -> None:
    file = BytesIO()
    Image.new("I;16", (960, 1200), 160 * 256).save(file, "PNG")
    url = upload(ada, fern, file.getvalue()).json()["imageUrl"]
    with Image.open(BytesIO(client.get(url).content)) as image:
        assert image.convert("RGB").getpixel((320, 400)) == pytest.approx((160, 160, 160), abs=4)


@ON_SQLITE
def test_the_transparent_grey_of_sixteen_bits_is_the_one_replaced_by_the_background(
    ada: TestClient, client: TestClient, fern: Product
) -> None:
    """In 8 bits the number of that grey, 128 * 256, would be the one of black."""
    grey = Image.new("I;16", (960, 1200), 128 * 256)
    grey.paste(0, (0, 0, 480, 1200))
    file = BytesIO()
    grey.save(file, "PNG", transparency=128 * 256)
    url = upload(ada, fern, file.getvalue()).json()["imageUrl"]
    with Image.open(BytesIO(client.get(url).content)) as image:
        assert image.convert("RGB").getpixel((100, 400)) == pytest.approx((0, 0, 0), abs=4)
        assert image.convert("RGB").getpixel((540, 400)) == pytest.approx(pictures.BACKGROUND, abs=4)


@ON_SQLITE
@pytest.mark.parametrize(("size", "beside"), [((4000, 500), (320, 10)), ((500, 4000), (10, 400))])
def test_a_picture_that_would_lose_too_much_is_padded_instead_of_cropped(
    ada: TestClient, client: TestClient, fern: Product, size: tuple[int, int], beside: tuple[int, int]
) -> None:
    url = upload(ada, fern, photo("PNG", size)).json()["imageUrl"]
    with Image.open(BytesIO(client.get(url).content)) as image:
        assert image.size == (640, 800)
        assert image.getpixel(beside) == pytest.approx(pictures.BACKGROUND, abs=4)
        assert image.getpixel((320, 400)) == pytest.approx((30, 120, 60), abs=4)


@ON_SQLITE
def test_a_tiny_picture_is_enlarged(ada: TestClient, client: TestClient, fern: Product) -> None:
    url = upload(ada, fern, photo("PNG", (3, 3))).json()["imageUrl"]
    with Image.open(BytesIO(client.get(url).content)) as image:
        assert image.size == (640, 800)
        assert image.getpixel((5, 5)) == pytest.approx((30, 120, 60), abs=4)


@ON_SQLITE
def test_a_transparent_picture_gets_the_background_colour(ada: TestClient, client: TestClient, fern: Product) -> None:
    url = upload(ada, fern, photo("PNG", mode="RGBA")).json()["imageUrl"]
    pairs = zip((30, 120, 60), pictures.BACKGROUND, strict=True)
    blended = tuple((128 * shown + 127 * behind) / 255 for shown, behind in pairs)
    with Image.open(BytesIO(client.get(url).content)) as image:
        assert image.mode == "RGB"
        assert image.getpixel((320, 400)) == pytest.approx(blended, abs=4)


JUST_TOO_LARGE = photo(size=(16, 20)) + bytes(5 * 1024 * 1024)
"""Larger than a picture may be, but not than a body with a picture."""


@ON_SQLITE
@pytest.mark.attack("large and hostile pictures")
@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("drawing.svg", SVG, 415),
        ("drawing.png", SVG, 415),
        ("page.jpg", b"<html><script>alert(1)</script></html>", 415),
        ("notes.jpg", b"just words", 415),
        ("moving.gif", photo("GIF"), 415),
        ("scan.tiff", photo("TIFF"), 415),
        ("cut.jpg", photo(size=(1600, 2000))[:2_000], 422),
        ("cut.png", photo("PNG", (1600, 2000))[:500], 422),
        ("cut-metadata.jpg", photo(dpi=(72, 72), exif=CUT_METADATA), 422),
        ("cut-metadata.png", photo("PNG", exif=CUT_METADATA), 422),
        ("text-for-metadata.png", photo("PNG", pnginfo=png_text("exif", is_international=True)), 422),
        ("text-for-profile.png", photo("PNG", pnginfo=png_text("icc_profile")), 422),
        ("text-for-colour.png", photo("PNG", pnginfo=png_text("transparency")), 422),
        ("bomb.png", bomb(), 422),
        ("large.png", photo("PNG", (8_000, 5_001)), 422),
        ("empty.jpg", b"", 422),
        ("above-the-limit-of-pictures.jpg", JUST_TOO_LARGE, 413),
        ("above-the-limit-of-bodies.jpg", photo() + bytes(6 * 1024 * 1024), 413),
    ],
)
def test_an_invalid_picture_is_refused_and_not_stored(
    ada: TestClient, client: TestClient, fern: Product, folder: Path, name: str, content: bytes, status: int
) -> None:
    refused = upload(ada, fern, content, name)
    assert refused.status_code == status, refused.text
    assert refused.json()["message"]
    assert files_in(folder) == []
    assert client.get(f"/api/products/{fern.id}").json()["imageUrl"] == "/pictures/fern-hollow-640.webp"


@ON_SQLITE
def test_a_picture_that_is_too_large_is_refused_with_its_limit(ada: TestClient, fern: Product) -> None:
    assert upload(ada, fern, JUST_TOO_LARGE).json()["message"] == "A picture may be at most 5 MB."


@ON_SQLITE
def test_the_page_and_a_refusal_name_every_format_that_is_accepted(ada: TestClient, fern: Product) -> None:
    (hint,) = re.findall(r"[\w, ]+, up to 5 MB", str(product_picture().render()))
    for text in (hint, upload(ada, fern, photo("GIF")).json()["message"]):
        assert [name for name in pictures.FORMATS if name not in text.upper()] == [], text


def test_a_foreign_site_cannot_upload(ada: TestClient, fern: Product) -> None:
    headers = {"Origin": "https://elsewhere.test"}
    files = {"file": ("fern.jpg", photo(), "image/jpeg")}
    refused = ada.put(f"/api/admin/products/{fern.id}/image", files=files, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "foreign_origin")


@pytest.mark.parametrize(
    "path",
    [
        # Encoded, because a client resolves plain dots itself.
        "%2e%2e/store.db",
        "pictures/%2e%2e/%2e%2e/store.db",
        "pictures/%2e%2e/x.webp",
        "pictures/",
        "",
        "reports/a.html",
        "x.webp",
    ],
)
def test_nothing_but_uploads_is_served_below_uploads(
    client: TestClient, configure: Callable[..., None], tmp_path: Path, path: str
) -> None:
    configure(UPLOADS=str(tmp_path / "uploads"))
    for name in ("store.db", "uploads/x.webp", "uploads/pictures/a.webp", "uploads/reports/a.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"private")
    assert client.get(f"/uploads/{path}").status_code == 404


def test_the_pdf_of_a_lab_report_is_served_as_a_download(
    ada: TestClient, client: TestClient, fern: Product, folder: Path
) -> None:
    report = f"/api/admin/products/{fern.id}/lab-report"
    refused = ada.put(f"{report}/pdf", files={"file": ("lab.pdf", PDF)})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_lab_report")
    assert files_in(folder) == []
    ada.put(report, json=REPORT)
    url = ada.put(f"{report}/pdf", files={"file": ("lab.pdf", PDF)}).json()["labReport"]["pdfUrl"]
    assert client.get(f"/api/products/{fern.id}").json()["labReport"]["pdfUrl"] == url
    served = client.get(url)
    assert (served.content, served.headers["Content-Type"]) == (PDF, "application/pdf")
    assert served.headers["Content-Disposition"] == 'attachment; filename="lab-report.pdf"'
    assert served.headers["Content-Security-Policy"] == "default-src 'none'; sandbox; frame-ancestors 'none'"
    ada.put(report, json=REPORT | {"lot": "7790"})
    assert client.get(url).status_code == 200
    other = ada.put(f"{report}/pdf", files={"file": ("lab.pdf", PDF + b"\n")}).json()["labReport"]["pdfUrl"]
    assert (client.get(url).status_code, client.get(other).status_code) == (404, 200)
    assert ada.delete(f"{report}/pdf").status_code == 204
    assert client.get(f"/api/products/{fern.id}").json()["labReport"]["pdfUrl"] == ""
    assert files_in(folder) == []


@pytest.mark.parametrize(
    ("content", "status"),
    [(b"%PDF-1.7 cut", 415), (b"<html>%PDF-%%EOF", 415), (SVG, 415), (PDF + bytes(5 * 1024 * 1024) + b"%%EOF", 413)],
)
def test_an_invalid_pdf_is_refused(ada: TestClient, fern: Product, folder: Path, content: bytes, status: int) -> None:
    ada.put(f"/api/admin/products/{fern.id}/lab-report", json=REPORT)
    refused = ada.put(f"/api/admin/products/{fern.id}/lab-report/pdf", files={"file": ("lab.pdf", content)})
    assert refused.status_code == status
    assert files_in(folder) == []


@pytest.mark.parametrize("error", [Unavailable(), PermissionError()])
def test_a_new_pdf_is_kept_even_if_the_previous_one_cannot_be_deleted(
    ada: TestClient, client: TestClient, fern: Product, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    report = f"/api/admin/products/{fern.id}/lab-report"
    ada.put(report, json=REPORT).raise_for_status()
    ada.put(f"{report}/pdf", files={"file": ("lab.pdf", PDF)}).raise_for_status()
    files, delete = storage.get_storage(), storage.get_storage().delete
    failures = [error]

    def fail_once(name: str) -> None:
        if failures:
            raise failures.pop()
        delete(name)

    monkeypatch.setattr(files, "delete", fail_once)
    answer = ada.put(f"{report}/pdf", files={"file": ("lab.pdf", PDF + b"\n")})
    assert (answer.status_code, failures) == (200, [])
    url = client.get(f"/api/products/{fern.id}").json()["labReport"]["pdfUrl"]
    assert client.get(url).content == PDF + b"\n"


def test_removing_a_pdf_that_is_not_there_is_not_in_the_audit_trail(
    ada: TestClient, fern: Product, session: Session
) -> None:
    report = f"/api/admin/products/{fern.id}/lab-report"
    ada.put(report, json=REPORT).raise_for_status()
    ada.put(f"{report}/pdf", files={"file": ("lab.pdf", PDF)}).raise_for_status()
    assert [ada.delete(f"{report}/pdf").status_code for _ in range(2)] == [204, 204]
    assert actions(session).count("product.lab_report_pdf_removed") == 1


def disk_full(*_anything: Any, **_options: Any) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.attack("a full disk")
@pytest.mark.parametrize("fails_at", [1, 2, 3])
def test_a_full_disk_keeps_no_part_of_a_picture(
    ada: TestClient, fern: Product, folder: Path, monkeypatch: pytest.MonkeyPatch, fails_at: int
) -> None:
    calls: list[int] = []

    def fill_up(descriptor: int) -> None:
        calls.append(descriptor)
        if len(calls) == fails_at:
            disk_full()

    monkeypatch.setattr("os.fsync", fill_up)
    answer = upload(ada, fern, photo())
    assert (answer.status_code, answer.json()["code"]) == (503, "storage_full")
    assert "out of disk space" in answer.json()["message"]
    assert files_in(folder) == []
    assert upload(ada, fern, photo()).status_code == 200


@pytest.mark.attack("a full disk")
def test_a_full_disk_keeps_no_part_of_a_pdf(
    ada: TestClient, fern: Product, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ada.put(f"/api/admin/products/{fern.id}/lab-report", json=REPORT).status_code == 200
    monkeypatch.setattr("os.fsync", disk_full)
    answer = ada.put(f"/api/admin/products/{fern.id}/lab-report/pdf", files={"file": ("a.pdf", PDF)})
    assert (answer.status_code, answer.json()["code"]) == (503, "storage_full")
    assert files_in(folder) == []


@pytest.mark.attack("a full disk")
@pytest.mark.parametrize("path", ["import", "{id}/image", "{id}/lab-report/pdf"])
def test_a_large_upload_that_fills_the_disk_is_refused_as_storage_full(
    ada: TestClient, fern: Product, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """While a form arrives, a file in it of more than a megabyte is kept on the disk."""
    monkeypatch.setattr("tempfile.SpooledTemporaryFile.rollover", disk_full)
    url = f"/api/admin/products/{path.format(id=fern.id)}"
    answer = ada.request("POST" if path == "import" else "PUT", url, files={"file": ("a", b"x" * 2_000_000)})
    assert (answer.status_code, answer.json()["code"]) == (503, "storage_full")


def test_a_disk_that_fails_otherwise_is_not_called_full(ada: TestClient, fern: Product, folder: Path) -> None:
    (folder / "pictures").write_text("in the way of the folder")
    answer = upload(ada, fern, photo())
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


@pytest.mark.attack("large and hostile pictures")
@pytest.mark.parametrize("size", [(10_001, 20), (20, 10_001)])
@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
def test_the_width_and_height_of_a_picture_are_limited(
    ada: TestClient, fern: Product, kind: str, size: tuple[int, int]
) -> None:
    answer = upload(ada, fern, photo(kind, size))
    assert answer.status_code == 422
    assert "10,000 pixels wide or high" in answer.json()["fields"]["file"]


@pytest.mark.attack("large and hostile pictures")
def test_two_pictures_are_decoded_at_once_and_a_third_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """After it has waited too long."""
    monkeypatch.setattr(pictures, "MAX_WAIT_SECONDS", 0)
    with pictures._slot():
        assert pictures.save(photo())
        with pictures._slot(), pytest.raises(Unavailable):
            pictures.save(photo())
    assert pictures.save(photo())


@pytest.mark.parametrize(
    ("kind", "mode"), [("PNG", "RGBA"), ("PNG", "RGB"), ("PNG", "P"), ("PNG", "L"), ("JPEG", "CMYK")]
)
def test_a_large_picture_is_reduced_and_looks_the_same(kind: str, mode: str, folder: Path) -> None:
    small, large = (Image.new("RGBA", size, (30, 120, 60, 255)) for size in ((960, 1200), (3840, 4800)))
    colours = []
    for image in (small, large):
        file = BytesIO()
        plain = image.convert("RGB")
        (plain.quantize(4) if mode == "P" else plain.convert(mode)).save(file, kind)
        url = pictures.save(file.getvalue())
        stored = Image.open(folder / f"{url.removeprefix('/uploads/')}-960.webp")
        assert stored.size == (960, 1200)
        colours.append(stored.convert("RGB").getpixel((480, 600)))
    assert all(abs(one - other) <= 3 for one, other in zip(*colours, strict=True))


def profile_with_red_and_blue_swapped() -> bytes:
    profile = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    red, blue = profile.index(b"rXYZ"), profile.index(b"bXYZ")
    profile[red : red + 4], profile[blue : blue + 4] = b"bXYZ", b"rXYZ"
    return bytes(profile)


@pytest.mark.parametrize("size", [(960, 1200), (3840, 4800)])
@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
def test_colours_are_converted_from_the_profile_of_the_picture(mode: str, size: tuple[int, int], folder: Path) -> None:
    pixel = Image.new("RGB", (1, 1), (200, 40, 40))
    image = (pixel.quantize() if mode == "P" else pixel.convert(mode)).resize(size)
    if mode == "RGBA":
        image.paste((0, 0, 0, 0), (0, 0, size[0] // 4, size[1]))
    file = BytesIO()
    image.save(file, "PNG", icc_profile=profile_with_red_and_blue_swapped())
    url = pictures.save(file.getvalue())
    stored = Image.open(folder / f"{url.removeprefix('/uploads/')}-960.webp").convert("RGB")
    colours = [(stored.getpixel((700, 600)), (40, 40, 200))]
    if mode == "RGBA":
        colours.append((stored.getpixel((100, 600)), pictures.BACKGROUND))
    for shown, wanted in colours:
        assert isinstance(shown, tuple)
        assert all(abs(one - other) <= 8 for one, other in zip(shown, wanted, strict=True))


def test_a_large_picture_is_turned_the_way_it_was_taken(folder: Path) -> None:
    """The orientation in its EXIF says so: the left half of the file, which is red, becomes the top."""
    image = Image.new("RGB", (4800, 3840), (0, 0, 255))
    image.paste((255, 0, 0), (0, 0, 2400, 3840))
    exif = Image.Exif()
    exif[0x0112] = 6
    file = BytesIO()
    image.save(file, "JPEG", exif=exif)
    url = pictures.save(file.getvalue())
    stored = Image.open(folder / f"{url.removeprefix('/uploads/')}-960.webp").convert("RGB")
    top, bottom = stored.getpixel((480, 100)), stored.getpixel((480, 1100))
    assert isinstance(top, tuple) and isinstance(bottom, tuple)
    assert top[0] > 200 > bottom[0]
