"""Pictures that people send: looked at, decoded, cut to the shelf's shape and written anew. Nothing of the file stays.

What a file is, its content says and not its name. Only the first picture of an animation is taken.
"""

import hashlib
from io import BytesIO
from threading import Lock

from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError, features

from marketplace_app.adapters import storage
from marketplace_app.errors import InvalidInput, TooLarge, UnsupportedMedia
from marketplace_app.limits import MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS

WIDTHS = (320, 640, 960)
TALL = 5 / 4
GROUND = (236, 234, 225)
"""Behind what is transparent, and beside what is too wide or too tall to be cut."""
LEAST_LEFT = 0.6
"""At least so much of a picture must be left when it is cut to shape; otherwise it is shown whole."""
QUALITY = 78
FORMATS = ("JPEG", "PNG", "WEBP", *(("AVIF",) if features.check("avif") else ()))
_SRGB = ImageCms.createProfile("sRGB")
_one_at_a_time = Lock()

Image.MAX_IMAGE_PIXELS = MAX_PICTURE_PIXELS


class NotAPicture(UnsupportedMedia):
    code = "not_a_picture"
    message = "Please choose a picture: JPEG, PNG or WebP."


def keep(content: bytes) -> str:
    """Store a picture in every width; the stem of its address. Raises NotAPicture, InvalidInput or TooLarge."""
    if len(content) > MAX_PICTURE_BYTES:
        raise TooLarge(f"A picture may have at most {MAX_PICTURE_BYTES // 1024**2} MB.")
    with _one_at_a_time:  # a large one takes a few hundred megabytes while it is open
        files = _written(_shaped(_decoded(content)))
    mark = hashlib.sha256(files[WIDTHS[-1]]).hexdigest()[:32]
    for width, file in files.items():
        storage.get_storage().save(f"pictures/{mark}-{width}.webp", file)
    return storage.address_of(f"pictures/{mark}")


def _decoded(content: bytes) -> Image.Image:
    """Its size is read before a single pixel is."""
    try:
        opened = Image.open(BytesIO(content), formats=FORMATS)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise _too_many_pixels() from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError):
        raise NotAPicture() from None
    if opened.width * opened.height > MAX_PICTURE_PIXELS:
        raise _too_many_pixels()
    try:
        opened.draft("RGB", (WIDTHS[-1] * 2, int(WIDTHS[-1] * TALL * 2)))
        opened.load()
        return _flat(ImageOps.exif_transpose(opened))
    except (OSError, SyntaxError, ValueError, IndexError, MemoryError):
        raise InvalidInput({"file": "This picture is damaged and cannot be read."}) from None


def _too_many_pixels() -> InvalidInput:
    return InvalidInput({"file": f"A picture may have at most {MAX_PICTURE_PIXELS // 10**6} megapixels."})


def _flat(image: Image.Image) -> Image.Image:
    """In the screen's colours, on the ground where it is transparent."""
    if image.has_transparency_data:
        image = image.convert("RGBA")
        ground = Image.new("RGBA", image.size, GROUND)
        ground.alpha_composite(image)
        image = ground
    elif profile := image.info.get("icc_profile"):
        image = _in_screen_colours(image, profile)
    return image.convert("RGB")


def _in_screen_colours(image: Image.Image, profile: bytes) -> Image.Image:
    try:
        source = ImageCms.ImageCmsProfile(BytesIO(profile))
        return ImageCms.profileToProfile(image, source, _SRGB, outputMode="RGB") or image
    except (ImageCms.PyCMSError, OSError, ValueError):
        return image


def _shaped(image: Image.Image) -> Image.Image:
    size = (WIDTHS[-1], int(WIDTHS[-1] * TALL))
    ratio = image.height / image.width
    left = min(ratio / TALL, TALL / ratio)
    if left >= LEAST_LEFT:
        return ImageOps.fit(image, size, Image.Resampling.LANCZOS)
    return ImageOps.pad(image, size, Image.Resampling.LANCZOS, color=GROUND)


def _written(image: Image.Image) -> dict[int, bytes]:
    files = {}
    for width in WIDTHS:
        file = BytesIO()
        small = image.resize((width, int(width * TALL)), Image.Resampling.LANCZOS)
        small.save(file, "WEBP", quality=QUALITY, method=4)
        files[width] = file.getvalue()
    return files
