"""Errors of the client."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional, Type

import httpx

from ._types import Job


class DarkroomError(Exception):
    """Base of all errors of this package."""


class InvalidArgumentError(DarkroomError, ValueError):
    """An argument that the client cannot send: an unknown model, or a source of the wrong type. Nothing was sent."""


class ApiError(DarkroomError):
    """Refusal of a request by the service. Each kind has a subclass."""

    #: HTTP status.
    status: int
    #: Code for programs, such as ``insufficient_balance``.
    code: Optional[str]
    #: Path in the body or header that is wrong, such as ``quality``.
    field: Optional[str]
    #: Wait in seconds after which the request may succeed, where the service names one.
    retry_after: Optional[float]
    #: Id of the job where there is one, else of the HTTP request.
    request_id: Optional[str]

    def __init__(self, response: httpx.Response, body: Mapping[str, str]) -> None:
        super().__init__(body.get("message") or f"HTTP status {response.status_code}")
        self.status = response.status_code
        self.code = body.get("code") or response.headers.get("error-code")
        self.field = body.get("field")
        self.request_id = body.get("request_id")
        self.retry_after = _seconds(response.headers.get("retry-after"))


class InvalidRequestError(ApiError):
    """A field or file that the operation does not accept."""


class SourceUnavailableError(InvalidRequestError):
    """A server of an input that failed for a moment, several times. The same request may succeed after ``retry_after``."""


class AuthenticationError(ApiError):
    """A missing, unknown, expired or revoked key."""


class PermissionDeniedError(ApiError):
    """A key that may not run the operation."""


class InsufficientBalanceError(ApiError):
    """A wallet, or a limit of spending, that does not cover the price."""


class NotFoundError(ApiError):
    """A job or file that does not exist, belongs to another account, or has expired."""


class ConflictError(ApiError):
    """A request that contradicts the state of its job or of its idempotency key."""


class TooManyRequestsError(ApiError):
    """More requests than the key or the account may send."""


class ServiceError(ApiError):
    """A fault of the service, after every retry. Nothing was charged."""


class ApiConnectionError(DarkroomError):
    """The service cannot be reached, or the connection was lost on every retry."""


class ApiTimeoutError(DarkroomError, TimeoutError):
    """The call took longer than its ``timeout``. Its job was canceled."""


class JobFailedError(DarkroomError):
    """End of a job without a result: FAILED by its input, or ERROR on the service's side. Nothing was charged."""

    job: Job
    code: Optional[str]
    field: Optional[str]

    def __init__(self, job: Job) -> None:
        super().__init__(job["error"] or job["status"])
        self.job = job
        self.code = job.get("code")
        self.field = job.get("field")


_BY_STATUS: Dict[int, Type[ApiError]] = {
    400: InvalidRequestError,
    401: AuthenticationError,
    402: InsufficientBalanceError,
    403: PermissionDeniedError,
    404: NotFoundError,
    409: ConflictError,
    410: NotFoundError,
    413: InvalidRequestError,
    422: InvalidRequestError,
    429: TooManyRequestsError,
}

_BY_CODE: Dict[Optional[str], Type[ApiError]] = {
    "insufficient_balance": InsufficientBalanceError,
    "source_unavailable": SourceUnavailableError,
}


def read_error(response: httpx.Response) -> ApiError:
    """Build the error of a response without success, whose body has been read."""
    body = _problem(response)
    code = body.get("code") or response.headers.get("error-code")
    # Operations may have statuses of their own for them.
    if code in _BY_CODE:
        return _BY_CODE[code](response, body)
    usual = ServiceError if response.status_code >= 500 else ApiError
    return _BY_STATUS.get(response.status_code, usual)(response, body)


def _problem(response: httpx.Response) -> Mapping[str, str]:
    """Return the texts of an error's body: a proxy may respond in another form."""
    try:
        body: Any = response.json()
    except ValueError:
        return {}
    if not isinstance(body, dict):
        return {}
    return {name: value for name, value in body.items() if isinstance(value, str)}


def _seconds(text: Optional[str]) -> Optional[float]:
    try:
        return None if text is None else max(0.0, float(text))
    except ValueError:
        return None
