"""The age check (RULE age-of-majority, RULE age-attestation)."""

from fastapi import APIRouter, Depends
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep, limit_attempts
from marketplace_app.api.responses import Json, problem
from marketplace_app.auth import cookies
from marketplace_app.schemas.account.accounts import AgeAnswer, AgeForm
from marketplace_app.services import accounts

router = APIRouter(tags=["Age"])


@router.post("/verify-age", response_model=AgeAnswer, responses=problem(422), dependencies=[Depends(limit_attempts)])
def verify_age(form: AgeForm, caller: CallerDep) -> Response:
    """Checks the age on the server. The date of birth is not stored."""
    verdict = caller.write(accounts.verify_age, form.date_of_birth)
    response = Json({"isValid": verdict.is_valid, "message": verdict.message})
    if verdict.is_valid:
        cookies.remember_age(response)
    return response
