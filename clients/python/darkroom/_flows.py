"""Requests as steps that the sync and the async client carry out alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Generator, Mapping, Optional, TypeVar, Union

import httpx

from ._errors import ApiConnectionError, ApiError, read_error
from ._operations import TEMPORARY_CODES

#: Seconds to connect, and between two packets: a direct response waits for its job.
TIMEOUT = httpx.Timeout(300.0, connect=10.0)
_ATTEMPTS_MAX = 5
_FIRST_PAUSE = 0.5
_PAUSE_MAX = 60.0
#: Statuses after which the same request may succeed, unless the code says otherwise.
_RETRYABLE = (429, 500, 502, 503, 504)
_CONFLICT = 409


@dataclass(frozen=True)
class Send:
    """Sends a request. The step's result is its response, with the body unless it is streamed."""

    request: httpx.Request
    is_streamed: bool = False


@dataclass(frozen=True)
class Pause:
    """Waits."""

    seconds: float


Step = Union[Send, Pause]
Result = TypeVar("Result")
#: Steps of a call, and its result at their end. The client throws an httpx.TransportError into it.
Flow = Generator[Step, Any, Result]


class Transport:
    """Connection to a service, with a key. Its flows repeat what is safe to repeat, up to five times."""

    def __init__(self, origin: str, api_key: str) -> None:
        self._api = f"{origin.rstrip('/')}/api"
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
        for attempt in range(1, _ATTEMPTS_MAX + 1):
            wait = _FIRST_PAUSE * 2 ** (attempt - 1)
            body = content() if callable(content) else content
            url = self._api + path if is_own else path
            request = httpx.Request(
                method,
                url,
                params=query,
                json=json,
                content=body,
                headers=given,
                extensions={"timeout": TIMEOUT.as_dict()},
            )
            try:
                response: httpx.Response = yield Send(request, is_streamed)
            except httpx.TransportError as cause:
                if attempt == _ATTEMPTS_MAX:
                    raise ApiConnectionError(f"{request.url.host} cannot be reached.") from cause
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
        return response.json()


def _may_retry(refusal: ApiError) -> bool:
    """Report whether the same request may succeed later. A response without a code is a proxy's."""
    if refusal.status == _CONFLICT:
        return refusal.retry_after is not None
    return refusal.status in _RETRYABLE and (refusal.code is None or refusal.code in TEMPORARY_CODES)
