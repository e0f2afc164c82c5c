"""What the client knows of each operation. Written by `npm run generate` from the OpenAPI document. Do not edit."""

from __future__ import annotations

from typing import Any, Dict, FrozenSet

OPERATIONS: Dict[str, Any] = {
    "media-convert-image": {"path": "/media-tools/v1/image-convert", "authentication": "subscription-key", "fields": {"image": "image_url"}, "batch_path": "/media-tools/v1/image-convert/batch"},
    "remove-bg": {"path": "/v1/remove-bg", "authentication": "bearer", "fields": {"image": "image_url", "video": "video_url"}, "batch_path": "/v1/remove-bg/batch"},
    "image-moderation": {"path": "/content-safety/v1/image-moderation", "authentication": "subscription-key", "fields": {"image": "image_url"}, "batch_path": "/content-safety/v1/image-moderation/batch", "is_direct": True},
    "image-outpaint": {"path": "/image-outpaint/v1/image-outpaint-request", "authentication": "subscription-key", "fields": {"image": "image_url"}, "batch_path": "/image-outpaint/v1/image-outpaint-request/batch"},
    "upscale": {"path": "/v1/upscale", "authentication": "bearer", "fields": {"image": "image_url", "video": "video_url"}, "batch_path": "/v1/upscale/batch"},
    "audio-diarize": {"path": "/audio-tools/v1/diarize", "authentication": "subscription-key", "fields": {"audio": "audio_url", "video": "audio_url"}},
    "audio-separate-stems": {"path": "/audio-tools/v1/separate-stems", "authentication": "subscription-key", "fields": {"audio": "audio_url", "video": "audio_url"}},
    "pipeline": {"path": "/v2/pipelines", "authentication": "either", "fields": {"image": "image_url", "audio": "audio_url", "video": "video_url"}, "batch_path": "/v2/pipelines/batch"},
}

#: Codes of errors after which the same request may succeed.
TEMPORARY_CODES: FrozenSet[str] = frozenset(
    [
        "source_unavailable",
        "request_timeout",
        "too_many_requests",
        "internal",
        "crashed",
        "interrupted",
        "unavailable",
        "storage_full",
        "timeout",
    ]
)
