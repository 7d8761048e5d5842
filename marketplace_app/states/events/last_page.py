"""One page of a list. Its number comes from a URL or an old screen, and the list may have become shorter since."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from marketplace_app.display.paging import Paging
from marketplace_app.limits import ADMIN_PAGE_SIZE
from marketplace_app.schemas.base import PageQuery

Q = TypeVar("Q", bound=PageQuery)
T = TypeVar("T")


async def read_page(query: Q, fetch: Callable[[Q], Awaitable[T]], total_of: Callable[[T], int]) -> tuple[T, Paging]:
    """What `fetch` finds on the requested page or, if there is no such page, on the last one."""
    size = query.limit or ADMIN_PAGE_SIZE
    found = await fetch(query)
    paging = Paging(query.offset // size + 1, size, total_of(found))
    if paging.page <= paging.pages:
        return found, paging
    return await read_page(query.model_copy(update={"offset": (paging.pages - 1) * size}), fetch, total_of)
