"""What people share: `/r/K7MTR4WQ` remembers the code in the browser and opens the welcome page."""

from fastapi import APIRouter, Depends
from starlette.responses import RedirectResponse, Response

from marketplace_app import codes
from marketplace_app.api.deps import limit_attempts
from marketplace_app.auth import cookies

router = APIRouter(include_in_schema=False)


@router.get("/r/{code}", dependencies=[Depends(limit_attempts)])
def follow(code: str) -> Response:
    """The same answer for known and unknown codes. Nothing but the cookie changes."""
    response = RedirectResponse("/welcome", 302)
    wanted = codes.normalize_referral_code(code)
    if codes.is_referral_code(wanted):
        cookies.remember_referral(response, wanted)
    return response
