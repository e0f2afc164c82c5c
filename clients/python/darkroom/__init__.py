"""Client of the Darkroom API: image, audio and video processing as prepaid jobs."""

from ._async_client import AsyncClient
from ._calls import QuoteOptions, RunOptions, SubmitOptions
from ._client import Client
from ._errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AuthenticationError,
    ConflictError,
    DarkroomError,
    InsufficientBalanceError,
    InvalidArgumentError,
    InvalidRequestError,
    JobFailedError,
    NotFoundError,
    PermissionDeniedError,
    ServiceError,
    TooManyRequestsError,
)
from ._receipts import Receipt, ReceiptError, ReceiptFile, find_receipt_file, verify_receipt
from ._types import (
    CompletedJob,
    Job,
    JobSummary,
    ModelId,
    Params,
    Quote,
    SpendingEvent,
    Usage,
    Wallet,
    WebhookEvent,
)
from ._webhooks import WebhookError, verify_webhook

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "AsyncClient",
    "AuthenticationError",
    "Client",
    "CompletedJob",
    "ConflictError",
    "DarkroomError",
    "InsufficientBalanceError",
    "InvalidArgumentError",
    "InvalidRequestError",
    "Job",
    "JobFailedError",
    "JobSummary",
    "ModelId",
    "NotFoundError",
    "Params",
    "PermissionDeniedError",
    "Quote",
    "QuoteOptions",
    "Receipt",
    "ReceiptError",
    "ReceiptFile",
    "RunOptions",
    "ServiceError",
    "SpendingEvent",
    "SubmitOptions",
    "TooManyRequestsError",
    "Usage",
    "Wallet",
    "WebhookError",
    "WebhookEvent",
    "find_receipt_file",
    "verify_receipt",
    "verify_webhook",
]
