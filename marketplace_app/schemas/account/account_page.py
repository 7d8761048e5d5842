"""The account page's URL: `/account?tab=orders&page=2`."""

from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from marketplace_app.schemas.base import Form, PageOfList

Tab = Literal["profile", "orders", "saved", "referrals", "settings"]


class AccountTabChoice(Form):
    tab: Tab


class AccountParams(Form):
    model_config = ConfigDict(strict=False, extra="ignore")

    tab: Tab = "profile"
    code: Annotated[str, Field(max_length=40)] = ""
    """The referral code of a shared link."""
    page: PageOfList = 1
