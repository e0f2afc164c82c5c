"""Client of the Darkroom API: image, audio and video processing as prepaid jobs."""

from ._async_client import AsyncClient
from ._client import Client
from ._errors import (
    ApiConnectionError,
    ApiError,
    AuthenticationError,
    ConflictError,
    DarkroomError,
    InsufficientBalanceError,
    InvalidRequestError,
    JobFailedError,
    NotFoundError,
    PermissionDeniedError,
    ServiceError,
    TooManyRequestsError,
)
from ._types import Job, ModelId, Params, Quote, Usage, Wallet
from ._webhooks import WebhookError, verify_webhook

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "AsyncClient",
    "AuthenticationError",
    "Client",
    "ConflictError",
    "DarkroomError",
    "InsufficientBalanceError",
    "InvalidRequestError",
    "Job",
    "JobFailedError",
    "ModelId",
    "NotFoundError",
    "Params",
    "PermissionDeniedError",
    "Quote",
    "ServiceError",
    "TooManyRequestsError",
    "Usage",
    "Wallet",
    "WebhookError",
    "verify_webhook",
]
