"""Customers who order without a pause, and remember the answers."""

import random
import threading
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field

import httpx

from tools.cluster.control import Cluster

PRODUCTS = tuple(range(1, 11))
"""Ids in the demo catalogue. There are few, so that customers compete for the same products."""
GIVE_UP_SECONDS = 60
TIMEOUT_SECONDS = 30
IMPATIENT_SECONDS = (0.001, 0.25)
"""How long impatient people wait for an answer: some leave before the order is stored, some afterwards."""
ERROR_PREFIX = "500"
"""A sentence that begins with this counts as an error: a response with this status, or a check that failed."""


@dataclass
class History:
    began_at: float = field(default_factory=time.monotonic)
    ended_at: float = 0.0
    """When the last customer had finished."""
    acknowledged: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By idempotency key: the order's number and total, as the store answered."""
    answered_at: list[float] = field(default_factory=list)
    failed_at: list[float] = field(default_factory=list)
    """When an attempt to order, or to sign in again, failed."""
    sentences: set[str] = field(default_factory=set)
    """What customers were told when an attempt failed, each text once."""
    errors: int = 0
    """How many of the failed attempts counted as errors (`ERROR_PREFIX`)."""
    given_up: list[str] = field(default_factory=list)
    """Keys of orders not acknowledged within GIVE_UP_SECONDS or, in `tools/load`, after two attempts."""


class Refused(Exception):
    """Its text is what the customer was told."""


class Person:
    """One customer's browser, without the pages."""

    def __init__(self, site: Cluster, email: str, address: str | None = None) -> None:
        """`address`: one on this machine that no one else uses, so that rates by address count this person alone."""
        self.email = email
        transport = httpx.HTTPTransport(verify=site.ssl_context(), local_address=address)
        self.client = httpx.Client(base_url=site.url, transport=transport, timeout=TIMEOUT_SECONDS)

    def sign_in(self) -> str | None:
        """None once signed in, else what they are told."""
        self.client.cookies.clear()
        try:
            return self.come_back(self.visit_provider())
        except httpx.TransportError as error:
            return f"(connection: {type(error).__name__})"
        except Refused as refusal:
            return str(refusal)

    def visit_provider(self) -> str:
        """Sign in at the identity provider. Returns the URL at the store that it sends the person back to.

        Raises Refused if the store does not send them to the provider.
        """
        started = self.client.get("/api/login")
        if started.status_code != 302:
            raise Refused(sentence_of(started))
        back = httpx.post(started.headers["location"], data={"sub": self.email}, timeout=TIMEOUT_SECONDS)
        return back.headers["location"]

    def come_back(self, url: str) -> str | None:
        """Return from the identity provider to this URL. None once signed in, else what they are told."""
        answer = self.client.get(url)
        if answer.status_code != 302:
            return sentence_of(answer)
        self.client.post("/api/verify-age", json={"dateOfBirth": "1990-04-17"})
        return None

    def order(self, key: str, body: object, wait_seconds: float = TIMEOUT_SECONDS) -> httpx.Response:
        timeout = httpx.Timeout(TIMEOUT_SECONDS, read=wait_seconds)
        return self.client.post("/api/orders", json=body, headers={"Idempotency-Key": key}, timeout=timeout)


def sentence_of(answer: httpx.Response) -> str:
    is_json = answer.headers.get("content-type", "").startswith("application/json")
    return f"{answer.status_code} {answer.json()['message'] if is_json else '(by the proxy)'}"


class Customers:
    def __init__(self, site: Cluster, count: int) -> None:
        self._people = [Person(site, f"buyer-{number}@example.org") for number in range(count)]
        for person in self._people:
            if refusal := person.sign_in():
                raise SystemExit(f"{person.email} could not sign in: {refusal}")
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self.are_impatient = False
        """Whether they often close the connection before the answer comes."""
        self.history = History()

    def begin(self) -> None:
        self.history, self._ending = History(), threading.Event()
        self._threads = [threading.Thread(target=self._order_until_the_end, args=[each]) for each in self._people]
        for thread in self._threads:
            thread.start()

    def end(self) -> History:
        """Let each finish their current order; returns what happened."""
        self._ending.set()
        for thread in self._threads:
            thread.join()
        self.history.ended_at = time.monotonic()
        return self.history

    def _order_until_the_end(self, person: Person) -> None:
        while not self._ending.is_set():
            self._order(person)

    def _order(self, person: Person) -> None:
        """One order, with the same key again after every failure, as the screen does it."""
        key, order = str(uuid.uuid4()), draft(random.sample(PRODUCTS, 2))
        deadline = time.monotonic() + GIVE_UP_SECONDS
        while time.monotonic() < deadline:
            sentence = self._try(person, key, order)
            if sentence is None:
                return
            self._note(sentence)
            if sentence.startswith("401") and (refusal := person.sign_in()):
                self._note(refusal)
            time.sleep(0.2)
        with self._lock:
            self.history.given_up.append(key)

    def _note(self, sentence: str) -> None:
        with self._lock:
            self.history.failed_at.append(time.monotonic())
            self.history.sentences.add(sentence)
            self.history.errors += sentence.startswith(ERROR_PREFIX)

    def _try(self, person: Person, key: str, order: object) -> str | None:
        """None once the order is acknowledged, else what the customer is told."""
        is_leaving = self.are_impatient and random.random() < 0.7
        try:
            answer = person.order(key, order, random.uniform(*IMPATIENT_SECONDS) if is_leaving else TIMEOUT_SECONDS)
        except httpx.TransportError as error:
            return "(left before the answer)" if is_leaving else f"(connection: {type(error).__name__})"
        if answer.status_code != 201:
            return sentence_of(answer)
        placed = answer.json()
        with self._lock:
            self.history.acknowledged[key] = (placed["number"], placed["total"])
            self.history.answered_at.append(time.monotonic())
        return None


def draft(products: Sequence[int], quantity: int = 3, *, use_credit: bool = False) -> dict[str, object]:
    return {
        "items": [{"productId": number, "quantity": quantity} for number in products],
        "useCredit": use_credit,
        "deliveryAddress": "214 Larch Street, Portland, OR 97201",
        "contactPhone": "503 555 0142",
        "deliveryInstructions": "Side entrance, the green door.",
        "paymentInstructions": "Envelope under the mat.",
    }
