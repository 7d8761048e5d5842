"""Users, as staff list and edit them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, ConfigDict, Field

from marketplace_app import money
from marketplace_app.limits import ADMIN_PAGE_SIZE, MAX_BAN_REASON, MAX_CREDIT_CENTS, MAX_NAME
from marketplace_app.messages import NO_BAN_REASON
from marketplace_app.models import Role, User
from marketplace_app.schemas.account.invitations import Name
from marketplace_app.schemas.base import Answer, Cents, Form, Moment, Money, PageOfList, PageQuery, RowId, View
from marketplace_app.schemas.emails import Email
from marketplace_app.schemas.products.products import SortDirection
from marketplace_app.schemas.texts import one_line_without_nul


class UserFilter(StrEnum):
    ACTIVE = "active"
    BANNED = "banned"
    STAFF = "staff"


class UserSortKey(StrEnum):
    JOINED = "joined"
    NAME = "name"
    SPENT = "spent"
    ORDERS = "orders"


class UserQuery(PageQuery):
    """Which users to list. By default, names ascend and everything else descends."""

    model_config = ConfigDict(validate_by_name=True)

    q: Annotated[str, Field(max_length=200)] = ""
    """Words of the name or email, in any order; case and accents are ignored."""
    status: UserFilter | None = None
    sort: UserSortKey = UserSortKey.JOINED
    order: SortDirection | None = None

    @property
    def is_ascending(self) -> bool:
        return (self.order or _DEFAULT_DIRECTIONS[self.sort]) is SortDirection.ASCENDING


class UsersParams(Form):
    """The URL of the users tab: `/admin?tab=users&q=larch&status=banned&sort=spent&page=2`."""

    model_config = ConfigDict(strict=False, extra="ignore")

    q: Annotated[str, Field(max_length=200)] = ""
    status: UserFilter | None = None
    sort: UserSortKey = UserSortKey.JOINED
    order: SortDirection | None = None
    page: PageOfList = 1

    def query(self) -> UserQuery:
        return UserQuery(
            q=self.q,
            status=self.status,
            sort=self.sort,
            order=self.order,
            limit=ADMIN_PAGE_SIZE,
            offset=(self.page - 1) * ADMIN_PAGE_SIZE,
        )

    def direction_after(self, wanted: UserSortKey) -> SortDirection | None:
        """After a click on a column's heading: reversed if the list is sorted by it, else None (the default)."""
        if wanted is not self.sort:
            return None
        return SortDirection.DESCENDING if self.query().is_ascending else SortDirection.ASCENDING


class UserControlValue(Form):
    """What a control of the users tab was set to: a filter, or the column to sort by."""

    model_config = ConfigDict(strict=False)

    status: UserFilter | None = None
    sort: UserSortKey = UserSortKey.JOINED


class UserRef(Form):
    id: RowId


_DEFAULT_DIRECTIONS = dict.fromkeys(UserSortKey, SortDirection.DESCENDING) | {UserSortKey.NAME: SortDirection.ASCENDING}


def _within_credit_limit(cents: int) -> int:
    if cents > MAX_CREDIT_CENTS:
        raise ValueError(f"Referral credit is at most {money.show(MAX_CREDIT_CENTS)}.")
    return cents


class UserForm(Form):
    """What staff may edit; a field left out stays. `referralCredit` is the new balance."""

    EXAMPLE: ClassVar[Mapping[str, Any]] = {"firstName": "Nora", "referralCredit": "100.00"}

    MESSAGES: ClassVar[Mapping[str, str]] = {
        "firstName": f"A first name can have at most {MAX_NAME} characters.",
        "lastName": f"A last name can have at most {MAX_NAME} characters.",
    }

    first_name: Name | None = None
    last_name: Name | None = None
    email: Email | None = None
    referral_credit: Annotated[Cents, AfterValidator(_within_credit_limit)] | None = None

    def columns(self) -> dict[str, str]:
        names = ("first_name", "last_name", "email")
        return {name: value for name in names if (value := getattr(self, name)) is not None}


class BanForm(Form):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {"reason": "Resold products"}

    MESSAGES: ClassVar[Mapping[str, str]] = {"reason": f"A reason can have at most {MAX_BAN_REASON} characters."}

    reason: Annotated[str, Field(max_length=MAX_BAN_REASON), AfterValidator(one_line_without_nul)] = ""

    @property
    def reason_or_default(self) -> str:
        return self.reason or NO_BAN_REASON


class RoleForm(Form):
    EXAMPLE: ClassVar[Mapping[str, Any]] = {"role": "support"}

    MESSAGES: ClassVar[Mapping[str, str]] = {"role": f"The role must be one of {', '.join(Role)}."}

    role: Annotated[Role, Field(strict=False)]


class AdminUserView(View):
    id: int
    email: str = Field(examples=["shopper@example.com"])
    first_name: str
    last_name: str
    created_at: Moment
    referred_by: int | None
    referral_bonus_used: bool
    first_purchase_discount_used: bool
    referral_credit_cents: Money = Field(examples=["100.00"])
    role: Role
    is_banned: bool = Field(alias="banned")
    ban_reason: str
    total_orders: int
    total_spent_cents: Money = Field(examples=["1234.50"])

    @property
    def name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()


def view_of(user: User, total_orders: int, total_spent_cents: int, *, referral_credit_cents: int) -> AdminUserView:
    """With the totals of their orders and the balance of their credit (RULE totals-of-a-person)."""
    return AdminUserView(
        id=user.id,
        email=user.email,
        first_name=user.first_name,
        last_name=user.last_name,
        created_at=user.created_at,
        referred_by=user.referred_by_id,
        referral_bonus_used=user.referral_bonus_used,
        first_purchase_discount_used=user.first_purchase_discount_used,
        referral_credit_cents=referral_credit_cents,
        role=user.role,
        is_banned=user.is_banned,
        ban_reason=user.ban_reason,
        total_orders=total_orders,
        total_spent_cents=total_spent_cents,
    )


class ConfirmationAnswer(Answer):
    message: str = Field(examples=["User deleted successfully"])
