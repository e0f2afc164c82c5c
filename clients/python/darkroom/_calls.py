"""Calls of the API, as flows."""

from __future__ import annotations

import time
import uuid
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union, cast
from urllib.parse import quote as encode

from ._errors import JobFailedError
from ._flows import Flow, Pause, Transport
from ._operations import OPERATIONS
from ._types import Job, ModelId, Params, Quote, Usage, Wallet
from ._uploads import File, Source, is_url, upload

#: Seconds between two looks at a job: each is half as long again as the one before.
_POLL_FIRST = 0.5
_POLL_MAX = 5.0

OnProgress = Callable[[Job], None]
#: A source of a batch, alone or with its own params.
BatchItem = Union[Source, Tuple[Source, Params]]


def run(
    transport: Transport,
    model_id: ModelId,
    source: Source,
    params: Optional[Params],
    *,
    on_progress: Optional[OnProgress] = None,
    **options: Any,
) -> Flow[Job]:
    """Run an operation, and wait for its end."""
    request_id = yield from submit(transport, model_id, source, params, **options)
    return (yield from wait(transport, request_id, on_progress))


def submit(
    transport: Transport,
    model_id: ModelId,
    source: Source,
    params: Optional[Params],
    *,
    media: Optional[str] = None,
    idempotency_key: Optional[str] = None,
    webhook_url: Optional[str] = None,
    cache: bool = True,
) -> Flow[str]:
    """Send a request, and return its request_id."""
    body = yield from _body(transport, model_id, source, params, media)
    path = OPERATIONS[model_id]["path"]
    options: Dict[str, Any] = {"idempotency_key": idempotency_key, "webhook_url": webhook_url}
    return (yield from _send(transport, model_id, path, body, cache=cache, **options))


def run_batch(
    transport: Transport,
    model_id: ModelId,
    items: Sequence[BatchItem],
    shared: Optional[Params],
    *,
    on_progress: Optional[OnProgress] = None,
    **options: Any,
) -> Flow[Job]:
    """Run an operation on many sources as one job, and wait for its end."""
    path = OPERATIONS[model_id].get("batch_path")
    if path is None:
        raise ValueError(f"{model_id} accepts no batches.")
    bodies: List[Dict[str, Any]] = []
    for item in items:
        source, params = item if isinstance(item, tuple) else (item, None)
        bodies.append((yield from _body(transport, model_id, source, params, None)))
    body = {"items": bodies, **(shared or {})}
    request_id = yield from _send(transport, model_id, path, body, **options)
    return (yield from wait(transport, request_id, on_progress))


def _send(
    transport: Transport,
    model_id: ModelId,
    path: str,
    body: Mapping[str, Any],
    *,
    idempotency_key: Optional[str] = None,
    webhook_url: Optional[str] = None,
    cache: bool = True,
) -> Flow[str]:
    """Send the body of a request, and return its request_id."""
    headers = {"idempotency-key": idempotency_key or str(uuid.uuid4()), "prefer": "respond-async"}
    if OPERATIONS[model_id]["authentication"] == "subscription-key":
        headers["ocp-apim-subscription-key"] = transport.api_key
    if not cache:
        headers["cache-control"] = "no-cache"
    if webhook_url is not None:
        headers["x-webhook-url"] = webhook_url
    accepted = yield from transport.json("POST", path, json=body, headers=headers)
    return str(accepted["request_id"])


def wait(transport: Transport, request_id: str, on_progress: Optional[OnProgress] = None) -> Flow[Job]:
    """Poll a job until it has ended: the service is asked to hold each response until then."""
    pause = _POLL_FIRST
    while True:
        asked_at = time.monotonic()
        job = yield from get_job(transport, request_id, wait=max(1, round(pause)))
        if on_progress is not None:
            on_progress(job)
        if job["status"] == "COMPLETED":
            return job
        if job["status"] in ("FAILED", "ERROR"):
            raise JobFailedError(job)
        # A service that does not hold responses responds at once.
        if time.monotonic() - asked_at < pause / 2:
            yield Pause(pause)
        pause = min(pause * 1.5, _POLL_MAX)


def get_job(transport: Transport, request_id: str, wait: Optional[int] = None) -> Flow[Job]:
    """Return a job, once it has ended or ``wait`` seconds are over."""
    path = f"/v2/requests/status/{encode(request_id, safe='')}"
    headers = {} if wait is None else {"prefer": f"wait={wait}"}
    return cast(Job, (yield from transport.json("GET", path, headers=headers)))


def cancel(transport: Transport, request_id: str) -> Flow[Job]:
    """Cancel a job."""
    return cast(Job, (yield from transport.json("DELETE", f"/v2/requests/{encode(request_id, safe='')}")))


def list_requests(transport: Transport, filters: Mapping[str, Any]) -> Flow[Dict[str, Any]]:
    """Return a page of the account's requests."""
    query: Dict[str, Any] = {}
    for name, value in filters.items():
        if isinstance(value, Mapping):
            query.update({f"{name}[{key}]": member for key, member in value.items()})
        elif value is not None:
            query[name] = value
    return cast(Dict[str, Any], (yield from transport.json("GET", "/v2/requests", query=query)))


def quote(
    transport: Transport, model_id: ModelId, source: Source, params: Optional[Params], media: Optional[str]
) -> Flow[Quote]:
    """Return the price of a request."""
    request = yield from _body(transport, model_id, source, params, media)
    body = {"model_id": model_id, "request": request}
    return cast(Quote, (yield from transport.json("POST", "/v2/quotes", json=body)))


def usage(transport: Transport, filters: Mapping[str, str]) -> Flow[Usage]:
    """Return the charges by day, operation and key."""
    return cast(Usage, (yield from transport.json("GET", "/v2/usage", query=filters)))


def wallet(transport: Transport) -> Flow[Wallet]:
    """Return the balance of the account."""
    return cast(Wallet, (yield from transport.json("GET", "/v2/wallet")))


def _body(
    transport: Transport, model_id: ModelId, source: Source, params: Optional[Params], media: Optional[str]
) -> Flow[Dict[str, Any]]:
    """Upload a file, and build the body of a request."""
    fields = OPERATIONS[model_id]["fields"]
    if is_url(source):
        url = str(source)
    else:
        file = File(source)
        media = media or (file.media_type or "").split("/")[0]
        url = yield from upload(transport, file)
    # The service says what it reads where the kind is unknown.
    field = fields.get(media or "", next(iter(fields.values())))
    return {field: url, **(params or {})}
