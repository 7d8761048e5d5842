"""Uploaded pictures: checked, decoded, cropped or padded to the catalogue's shape and re-encoded.

The file itself is not kept. The format is detected from the content, not from the file's name. Of an animation only the
first picture is used.
"""

import contextlib
import hashlib
import struct
from collections.abc import Iterator
from io import BytesIO
from threading import BoundedSemaphore

from PIL import ExifTags, Image, ImageCms, ImageOps, UnidentifiedImageError, features

from marketplace_app.adapters import storage
from marketplace_app.errors import InvalidInput, TooLarge, Unavailable, UnsupportedMedia
from marketplace_app.limits import MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS, MAX_PICTURE_SIDE, PICTURE_WIDTHS

HEIGHT_TO_WIDTH = 5 / 4
BACKGROUND = (236, 234, 225)
"""Behind transparent parts, and beside pictures that are too wide or too tall to be cropped."""
MIN_SHARE_AFTER_CROP = 0.6
"""A picture of which less than this share would be left is padded to the shape instead of cropped."""
QUALITY = 78
FORMATS = ("JPEG", "PNG", "WEBP", *(("AVIF",) if features.check("avif") else ()))
_FORMAT_NAMES = "JPEG, PNG, WebP or AVIF" if "AVIF" in FORMATS else "JPEG, PNG or WebP"
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
"""What makes a picture upright, by its EXIF orientation."""
_SRGB = ImageCms.createProfile("sRGB")
MAX_OPEN = 2
"""How many pictures may be open at the same time: a large one takes some 300 megabytes."""
MAX_WAIT_SECONDS = 20
_slots = BoundedSemaphore(MAX_OPEN)

Image.MAX_IMAGE_PIXELS = MAX_PICTURE_PIXELS


class NotAPicture(UnsupportedMedia):
    code = "not_a_picture"
    message = f"Please choose a picture: {_FORMAT_NAMES}."


def save(content: bytes) -> str:
    """Store a picture in every width; returns the stem of its URL.

    Raises NotAPicture, InvalidInput, TooLarge or Unavailable.
    """
    if len(content) > MAX_PICTURE_BYTES:
        raise TooLarge(f"A picture may be at most {MAX_PICTURE_BYTES // 1024**2} MB.")
    opened = _opened(content)
    with _slot():
        sized = _cropped_or_padded(_decoded(opened))
    files = _encoded(sized)
    digest = hashlib.sha256(files[PICTURE_WIDTHS[-1]]).hexdigest()[:32]
    storage.get_storage().save_all({f"pictures/{digest}-{width}.webp": file for width, file in files.items()})
    return storage.url_of(f"pictures/{digest}")


@contextlib.contextmanager
def _slot() -> Iterator[None]:
    if not _slots.acquire(timeout=MAX_WAIT_SECONDS):
        raise Unavailable()
    try:
        yield
    finally:
        _slots.release()


def _opened(content: bytes) -> Image.Image:
    """The size is read and checked before any pixel is decoded."""
    try:
        opened = Image.open(BytesIO(content), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_many_pixels() from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        raise NotAPicture() from None
    if opened.width * opened.height > MAX_PICTURE_PIXELS:
        raise _too_many_pixels()
    if max(opened.size) > MAX_PICTURE_SIDE:
        raise InvalidInput({"file": f"A picture may be at most {MAX_PICTURE_SIDE:,} pixels wide or high."})
    return opened


def _decoded(opened: Image.Image) -> Image.Image:
    """Reduced as early as possible to little more than the size needed: JPEG while decoding, others right after."""
    try:
        opened.draft("RGB", _needed_size(opened.size))
        opened.load()
        return _flat(_upright(_reduced(_in_eight_bits(opened))))
    except (OSError, SyntaxError, ValueError, TypeError, IndexError, MemoryError, struct.error):
        raise InvalidInput({"file": "This picture is damaged and cannot be read."}) from None


def _needed_size(size: tuple[int, int]) -> tuple[int, int]:
    """How large a picture must be, in its own proportions, for twice the largest size shown.

    It is large enough whichever way the picture's metadata turns it later.
    """
    width, height = size
    wanted = (PICTURE_WIDTHS[-1] * 2, int(PICTURE_WIDTHS[-1] * HEIGHT_TO_WIDTH * 2))
    scale = max(_scale((width, height), wanted), _scale((width, height), wanted[::-1]))
    return max(1, int(width * scale)), max(1, int(height * scale))


def _scale(size: tuple[int, int], wanted: tuple[int, int]) -> float:
    """The factor by which the picture fills the wanted size or, if it is padded, fits into it."""
    factors = _factors(size, wanted)
    return max(factors) if _is_cropped(size, wanted) else min(factors)


def _is_cropped(size: tuple[int, int], wanted: tuple[int, int]) -> bool:
    """Whether a picture is cropped to this size. It is padded if too little of it would be left."""
    factors = _factors(size, wanted)
    return min(factors) / max(factors) >= MIN_SHARE_AFTER_CROP


def _factors(size: tuple[int, int], wanted: tuple[int, int]) -> tuple[float, float]:
    """What the width and the height must be multiplied by to become the wanted ones."""
    return wanted[0] / size[0], wanted[1] / size[1]


def _reduced(image: Image.Image) -> Image.Image:
    """Reduced by an integer factor, which is fast."""
    width, height = _needed_size(image.size)
    factor = min(image.width // width, image.height // height)
    if factor < 2:
        return image
    if image.has_transparency_data:
        return image.convert("RGBA").reduce(factor)
    return (image if image.mode in ("L", "RGB", "CMYK") else image.convert("RGB")).reduce(factor)


def _in_eight_bits(image: Image.Image) -> Image.Image:
    """A grey picture of 16 bits is scaled to 8, since Pillow would clip it at 255; any other picture is unchanged."""
    if image.mode != "I;16":
        return image
    scaled = image.point(lambda grey: grey * (1 / 256)).convert("L")
    if "transparency" in scaled.info:  # the grey that is transparent
        scaled.info["transparency"] //= 256
    return scaled


def _upright(image: Image.Image) -> Image.Image:
    """Turned as its metadata says. `ImageOps.exif_transpose` also rewrites the metadata, and fails if it is unusual."""
    turn = _TURNS.get(image.getexif().get(ExifTags.Base.Orientation, 1))
    return image if turn is None else image.transpose(turn)


def _too_many_pixels() -> InvalidInput:
    return InvalidInput({"file": f"A picture may have at most {MAX_PICTURE_PIXELS // 10**6} megapixels."})


def _flat(image: Image.Image) -> Image.Image:
    """In sRGB, with the background in place of transparency."""
    if image.has_transparency_data:
        image = image.convert("RGBA")
    elif image.mode == "P":
        image = image.convert("RGB")
    if profile := image.info.get("icc_profile"):
        image = _in_srgb(image, profile)
    if image.mode == "RGBA":
        background = Image.new("RGBA", image.size, BACKGROUND)
        background.alpha_composite(image)
        image = background
    return image.convert("RGB")


def _in_srgb(image: Image.Image, profile: bytes) -> Image.Image:
    """Unchanged if the profile is damaged, or is for other channels than the picture has."""
    mode = "RGBA" if image.mode == "RGBA" else "RGB"
    try:
        source = ImageCms.ImageCmsProfile(BytesIO(profile))
        return ImageCms.profileToProfile(image, source, _SRGB, outputMode=mode) or image
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image


def _cropped_or_padded(image: Image.Image) -> Image.Image:
    size = (PICTURE_WIDTHS[-1], int(PICTURE_WIDTHS[-1] * HEIGHT_TO_WIDTH))
    if _is_cropped(image.size, size):
        return ImageOps.fit(image, size, Image.Resampling.LANCZOS)
    return ImageOps.pad(image, size, Image.Resampling.LANCZOS, color=BACKGROUND)


def _encoded(image: Image.Image) -> dict[int, bytes]:
    files = {}
    for width in PICTURE_WIDTHS:
        file = BytesIO()
        small = image.resize((width, int(width * HEIGHT_TO_WIDTH)), Image.Resampling.LANCZOS)
        small.save(file, "WEBP", quality=QUALITY, method=4)
        files[width] = file.getvalue()
    return files
