"""Referral codes and credit."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.schemas.account.referrals import (
    ApplyForm,
    ReferralAppliedAnswer,
    ReferralCodeAnswer,
    ReferralStats,
)
from marketplace_app.services import referrals

router = APIRouter(prefix="/referrals", tags=["Referrals"])


@router.get("/my-code", response_model=ReferralCodeAnswer, responses=problem(401))
def my_code(caller: CallerDep) -> Response:
    """The caller's referral code, created on first request. Eight characters that are easy to tell apart."""
    return Json({"referralCode": caller.write(referrals.my_code)})


@router.get("/stats", response_model=ReferralStats, responses=problem(401))
def stats(caller: CallerDep) -> Response:
    """The number of delivered first orders of people the caller referred, and the credit available."""
    return Json(caller.read(referrals.stats).wire())


@router.post("/apply", response_model=ReferralAppliedAnswer, responses=problem(401, 404, 409, 422))
def apply(form: ApplyForm, caller: CallerDep) -> Response:
    """Applies a referral code: once, before the first order, and never from someone the caller referred."""
    return Json({"referrerName": caller.write(referrals.apply, form)})
