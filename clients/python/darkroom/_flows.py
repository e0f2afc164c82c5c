"""Requests as steps that the sync and the async client carry out alike."""

from __future__ import annotations

import asyncio
import re
import time
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Callable, Generator, Mapping, Optional, Tuple, Type, TypeVar, Union

import httpx

from ._errors import ApiConnectionError, ApiError, ApiTimeoutError, DarkroomError, read_error
from ._operations import TEMPORARY_CODES

#: Seconds to connect, and between two packets: a direct response waits for its job.
TIMEOUT = httpx.Timeout(300.0, connect=10.0)
#: What ends a call from outside. Its flow then deletes what it has begun at the service.
INTERRUPTIONS: Tuple[Type[BaseException], ...] = (
    asyncio.CancelledError,
    KeyboardInterrupt,
    SystemExit,
    ApiTimeoutError,
)
#: Seconds that a flow has for that.
_CLEANUP_SECONDS = 10.0
_ATTEMPTS_MAX = 5
_FIRST_PAUSE = 0.5
_PAUSE_MAX = 60.0
#: Statuses after which the same request may succeed, unless the code says otherwise.
_RETRYABLE = (429, 500, 502, 503, 504)
_CONFLICT = 409


def _user_agent() -> str:
    try:
        return f"darkroom-python/{version('darkroom')}"
    except PackageNotFoundError:
        return "darkroom-python"


USER_AGENT = _user_agent()


@dataclass(frozen=True)
class Send:
    """Sends a request. The step's result is its response, with the body unless it is streamed."""

    method: str
    url: str
    options: Mapping[str, Any]
    is_streamed: bool = False

    def build(self, http: Union[httpx.Client, httpx.AsyncClient], deadline: Deadline) -> httpx.Request:
        """Build the request, with the headers and the time-out of the client that sends it."""
        headers = dict(self.options["headers"])
        if http.headers.get("user-agent", "").startswith("python-httpx/"):
            headers["user-agent"] = USER_AGENT
        options = {**self.options, "headers": headers, "timeout": deadline.shorten(http.timeout)}
        return http.build_request(self.method, self.url, **options)


@dataclass(frozen=True)
class Pause:
    """Waits."""

    seconds: float


Step = Union[Send, Pause]
Result = TypeVar("Result")
#: Steps of a call, and its result at their end. The client throws what a step has raised into it.
Flow = Generator[Step, Any, Result]


class Deadline:
    """End of the time that a call may take."""

    def __init__(self, seconds: Optional[float]) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self, seconds: float) -> float:
        """Return the seconds that a pause may take. Raise ApiTimeoutError once the time is over."""
        if self._end is None:
            return seconds
        left = self._end - time.monotonic()
        if left <= 0:
            raise ApiTimeoutError("The call took longer than its timeout.")
        return min(seconds, left)

    def shorten(self, timeout: httpx.Timeout) -> httpx.Timeout:
        """Return a time-out that ends with the deadline. Raise ApiTimeoutError once the time is over."""
        if self._end is None:
            return timeout
        left = self.left(float("inf"))
        return httpx.Timeout(**{name: left if each is None else min(each, left) for name, each in timeout.as_dict().items()})

    def after(self, error: BaseException) -> Tuple[BaseException, Deadline]:
        """Return the error that a call gets for what a step has raised, and the deadline of its further steps."""
        if isinstance(error, httpx.TransportError):
            try:
                self.left(0)
            except ApiTimeoutError as over:
                over.__cause__ = error
                error = over
        return error, Deadline(_CLEANUP_SECONDS) if isinstance(error, INTERRUPTIONS) else self


class Transport:
    """Connection to a service, with a key. Its flows repeat what is safe to repeat, up to five times."""

    def __init__(self, origin: str, api_key: str) -> None:
        self._api = re.sub(r"(/api)?/*$", "", origin) + "/api"
        self.api_key = api_key

    def send(
        self,
        method: str,
        path: str,
        *,
        json: Optional[object] = None,
        content: Union[Callable[[], bytes], bytes, None] = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        is_streamed: bool = False,
    ) -> Flow[httpx.Response]:
        """Send a request to a path below ``/api``, or to a whole URL.

        Wait for the seconds of Retry-After, at most a minute, or else twice as long each time. Raise ApiError for a
        refusal, ApiConnectionError when the service cannot be reached.
        """
        is_own = path.startswith("/")
        given = dict(headers or {})
        if is_own:
            # Only the service learns the key: files may be elsewhere.
            given.setdefault("authorization", f"Bearer {self.api_key}")
        url = self._api + path if is_own else path
        for attempt in range(1, _ATTEMPTS_MAX + 1):
            wait = _FIRST_PAUSE * 2 ** (attempt - 1)
            body = content() if callable(content) else content
            options = {"params": query, "json": json, "content": body, "headers": given}
            try:
                response: httpx.Response = yield Send(method, url, options, is_streamed)
            except httpx.TransportError as cause:
                if attempt == _ATTEMPTS_MAX:
                    raise ApiConnectionError(f"{httpx.URL(url).host} cannot be reached.") from cause
            else:
                if response.is_success:
                    return response
                refusal = read_error(response)
                if attempt == _ATTEMPTS_MAX or not _may_retry(refusal):
                    raise refusal
                if refusal.retry_after is not None:
                    wait = refusal.retry_after
            yield Pause(min(wait, _PAUSE_MAX))
        raise AssertionError("the last attempt returns or raises")

    def json(self, method: str, path: str, **options: Any) -> Flow[Any]:
        """Send a request, and return the JSON of its response."""
        response = yield from self.send(method, path, **options)
        try:
            return response.json()
        except ValueError as cause:
            # Another server responded, or a proxy with its page.
            raise ApiConnectionError(f"{response.url.host} did not respond with JSON. Check the origin.") from cause

    def delete_quietly(self, path: str) -> Flow[None]:
        """Delete what a call has left behind: a job, or an upload. It may be gone already."""
        try:
            yield from self.send("DELETE", path)
        except DarkroomError:
            pass


def _may_retry(refusal: ApiError) -> bool:
    """Report whether the same request may succeed later. A response without a code is a proxy's."""
    if refusal.status == _CONFLICT:
        return refusal.retry_after is not None
    return refusal.status in _RETRYABLE and (refusal.code is None or refusal.code in TEMPORARY_CODES)
