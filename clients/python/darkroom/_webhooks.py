"""Signatures of webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Mapping, Union, cast

import httpx

from ._errors import DarkroomError, InvalidArgumentError
from ._types import WebhookEvent

_SECONDS_MAX = 300


class WebhookError(DarkroomError):
    """Refusal of a webhook: its signature is not that of the account, or it is too old."""


def verify_webhook(body: Union[bytes, str], headers: Mapping[str, str], secret: str) -> WebhookEvent:
    """Check a webhook by Standard Webhooks, and return its event: an ended job, or a SpendingEvent.

    ``body`` has the bytes as they arrived: parsed and serialised again they would differ. ``secret`` is ``whsec_`` and
    base64. Raise WebhookError when the signature is wrong, or older or newer than five minutes, InvalidArgumentError for
    another secret.
    """
    key = _decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret)
    if key == b"":
        # Everyone can sign with an empty key.
        raise InvalidArgumentError("secret: must be whsec_ and base64, as the service shows it.")
    given = httpx.Headers(dict(headers))
    content = body.encode() if isinstance(body, str) else body
    timestamp = given.get("webhook-timestamp", "")
    if not timestamp.isascii() or not timestamp.isdigit() or abs(time.time() - int(timestamp)) > _SECONDS_MAX:
        raise WebhookError("The webhook is too old.")
    signed = f"{given.get('webhook-id', '')}.{timestamp}.".encode() + content
    expected = hmac.new(key, signed, hashlib.sha256).digest()
    for signature in given.get("webhook-signature", "").split(" "):
        version, _, text = signature.partition(",")
        if version == "v1" and hmac.compare_digest(_decode(text), expected):
            return cast(WebhookEvent, json.loads(content))
    raise WebhookError("The webhook has no valid signature.")


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
