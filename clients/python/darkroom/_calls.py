"""Calls of the API, as flows."""

from __future__ import annotations

import json
import time
import uuid
from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Sequence, TypedDict, cast
from urllib.parse import quote as encode

import httpx

from ._errors import DarkroomError, InvalidArgumentError, JobFailedError
from ._flows import INTERRUPTIONS, Flow, Pause, Transport
from ._operations import OPERATIONS
from ._types import BatchQuote, CompletedJob, Job, Quote, Token, UploadList, Usage, Wallet, WorkerList
from ._uploads import File, OnUpload, Source, Upload, delete_uploads, is_url, upload

#: Seconds between two looks at a job: each is half as long again as the one before.
_POLL_FIRST = 0.5
_POLL_MAX = 5.0

OnProgress = Callable[[Job], None]


class SubmitOptions(TypedDict, total=False):
    """Options of a call that sends a request."""

    #: Kind of an input given by URL or bytes: ``image``, ``video`` or ``audio``.
    media: Literal["image", "video", "audio"]
    #: Defaults to a random key, so that a retry never runs twice. Give your own to repeat a call in another process.
    idempotency_key: str
    #: URL that receives the job once it has ended.
    webhook_url: str
    #: ``False`` asks for a new run where the service has the result of the same request.
    cache: bool
    #: Called with the bytes of a file that have been sent, and with all of them: after each part of 16 MiB.
    on_upload: OnUpload
    #: Seconds that the call may take. Then it raises ApiTimeoutError, and its job is canceled.
    timeout: float


class RunOptions(SubmitOptions, total=False):
    """Options of a call that runs an operation."""

    #: Called with each state of the job that is read.
    on_progress: OnProgress


class QuoteOptions(TypedDict, total=False):
    """Options of a call that asks for a price."""

    media: Literal["image", "video", "audio"]
    timeout: float


def run(
    transport: Transport,
    model_id: str,
    source: Source,
    params: Optional[Mapping[str, Any]],
    *,
    on_progress: Optional[OnProgress] = None,
    **options: Any,
) -> Flow[CompletedJob]:
    """Run an operation, and wait for its end."""
    request_id = yield from submit(transport, model_id, source, params, **options)
    return (yield from _finish(transport, request_id, on_progress))


def run_batch(
    transport: Transport,
    model_id: str,
    items: Sequence[Any],
    shared: Optional[Mapping[str, Any]],
    *,
    on_progress: Optional[OnProgress] = None,
    **options: Any,
) -> Flow[CompletedJob]:
    """Run an operation on many sources as one job, and wait for its end."""
    request_id = yield from submit_batch(transport, model_id, items, shared, **options)
    return (yield from _finish(transport, request_id, on_progress))


def _finish(transport: Transport, request_id: str, on_progress: Optional[OnProgress]) -> Flow[CompletedJob]:
    """Wait for a job, and cancel it when the call is interrupted."""
    try:
        return (yield from wait(transport, request_id, on_progress))
    except INTERRUPTIONS:
        yield from transport.delete_quietly(_path(request_id))
        raise


def submit(
    transport: Transport,
    model_id: str,
    source: Source,
    params: Optional[Mapping[str, Any]],
    *,
    media: Optional[str] = None,
    on_upload: Optional[OnUpload] = None,
    **options: Any,
) -> Flow[str]:
    """Send a request, and return its request_id."""
    path = _operation(model_id)["path"]
    uploads: List[Upload] = []
    try:
        body = yield from _body(transport, model_id, source, params, media, uploads, on_upload)
        return (yield from _send(transport, model_id, path, body, **options))
    finally:
        yield from delete_uploads(transport, uploads)


def submit_batch(
    transport: Transport,
    model_id: str,
    items: Sequence[Any],
    shared: Optional[Mapping[str, Any]],
    *,
    media: Optional[str] = None,
    on_upload: Optional[OnUpload] = None,
    **options: Any,
) -> Flow[str]:
    """Send many sources as one request, and return its request_id."""
    path = _batch_path(model_id)
    uploads: List[Upload] = []
    try:
        body = yield from _batch_body(transport, model_id, items, shared, media, uploads, on_upload)
        return (yield from _send(transport, model_id, path, body, **options))
    finally:
        yield from delete_uploads(transport, uploads)


def _send(
    transport: Transport,
    model_id: str,
    path: str,
    body: Mapping[str, Any],
    *,
    idempotency_key: Optional[str] = None,
    webhook_url: Optional[str] = None,
    cache: bool = True,
) -> Flow[str]:
    """Send the body of a request, and return its request_id."""
    operation = _operation(model_id)
    headers = {"idempotency-key": idempotency_key or str(uuid.uuid4()), "prefer": "respond-async"}
    if operation["authentication"] == "subscription-key":
        headers["ocp-apim-subscription-key"] = transport.api_key
    if not cache:
        headers["cache-control"] = "no-cache"
    if webhook_url is not None:
        headers["x-webhook-url"] = webhook_url
    try:
        accepted = yield from transport.json("POST", path, json=body, headers=headers)
    except INTERRUPTIONS:
        # Only the response names the job to cancel. A direct operation ends with its request.
        if not operation.get("is_direct"):
            yield from _cancel_sent(transport, path, body, headers)
        raise
    return str(accepted["request_id"])


def _cancel_sent(transport: Transport, path: str, body: Mapping[str, Any], headers: Mapping[str, str]) -> Flow[None]:
    """Cancel the job of a request whose response is lost: the same Idempotency-Key brings it again."""
    try:
        accepted = yield from transport.json("POST", path, json=body, headers=headers)
    except DarkroomError:
        return
    yield from transport.delete_quietly(_path(accepted["request_id"]))


def wait(
    transport: Transport, request_id: str, on_progress: Optional[OnProgress] = None
) -> Flow[CompletedJob]:
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


class EventReader:
    """Reader of the server-sent events of a job, line by line."""

    def __init__(self) -> None:
        #: Id of the last whole event.
        self.last_id: Optional[str] = None
        self._id: Optional[str] = None
        self._data: List[str] = []

    def read(self, line: str) -> Optional[Job]:
        """Read a line. Return the job with which an event ends here."""
        if line == "":
            data, self._data = self._data, []
            if data:
                self.last_id = self._id
                return cast(Job, json.loads("\n".join(data)))
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data":
            self._data.append(value)
        elif name == "id":
            self._id = value
        return None


def open_events(transport: Transport, request_id: str, last_id: Optional[str]) -> Flow[httpx.Response]:
    """Open the events of a job. The response has status 204 where the last event is known."""
    headers = {"accept": "text/event-stream"}
    if last_id is not None:
        headers["last-event-id"] = last_id
    path = f"/v2/requests/status/{_encode_id(request_id)}/events"
    return (yield from transport.send("GET", path, headers=headers, is_streamed=True))


def has_ended(job: Job) -> bool:
    """Report whether a job changes no more."""
    return job["status"] in ("COMPLETED", "FAILED", "ERROR")


def get_job(transport: Transport, request_id: str, wait: Optional[int] = None) -> Flow[Job]:
    """Return a job, once it has ended or ``wait`` seconds are over."""
    path = f"/v2/requests/status/{_encode_id(request_id)}"
    headers = {} if wait is None else {"prefer": f"wait={wait}"}
    return cast(Job, (yield from transport.json("GET", path, headers=headers)))


def cancel(transport: Transport, request_id: str) -> Flow[Job]:
    """Cancel a job."""
    return cast(Job, (yield from transport.json("DELETE", _path(request_id))))


def list_requests(transport: Transport, filters: Mapping[str, Any]) -> Flow[Dict[str, Any]]:
    """Return a page of the account's requests."""
    query: Dict[str, Any] = {}
    for given, value in filters.items():
        # ``from`` is no name of an argument in Python.
        name = given.rstrip("_")
        if isinstance(value, Mapping):
            query.update({f"{name}[{key}]": member for key, member in value.items()})
        elif value is not None:
            query[name] = value
    return cast(Dict[str, Any], (yield from transport.json("GET", "/v2/requests", query=query)))


def quote(
    transport: Transport,
    model_id: str,
    source: Source,
    params: Optional[Mapping[str, Any]],
    media: Optional[str] = None,
) -> Flow[Quote]:
    """Return the price of a request."""
    uploads: List[Upload] = []
    try:
        request = yield from _body(transport, model_id, source, params, media, uploads, None)
        return cast(Quote, (yield from _ask_price(transport, model_id, request)))
    finally:
        yield from delete_uploads(transport, uploads)


def quote_batch(
    transport: Transport,
    model_id: str,
    items: Sequence[Any],
    shared: Optional[Mapping[str, Any]],
    media: Optional[str] = None,
) -> Flow[BatchQuote]:
    """Return the prices of a batch and of its items."""
    _batch_path(model_id)
    uploads: List[Upload] = []
    try:
        request = yield from _batch_body(transport, model_id, items, shared, media, uploads, None)
        return cast(BatchQuote, (yield from _ask_price(transport, f"{model_id}-batch", request)))
    finally:
        yield from delete_uploads(transport, uploads)


def _ask_price(transport: Transport, model_id: str, request: Mapping[str, Any]) -> Flow[Any]:
    body = {"model_id": model_id, "request": request}
    return (yield from transport.json("POST", "/v2/quotes", json=body))


def create_token(
    transport: Transport, max_usd: str, expires_in_seconds: int, operations: Optional[Sequence[str]]
) -> Flow[Token]:
    """Make a token of the key."""
    body: Dict[str, Any] = {"max_usd": max_usd, "expires_in_seconds": expires_in_seconds}
    if operations is not None:
        body["operations"] = list(operations)
    return cast(Token, (yield from transport.json("POST", "/v2/tokens", json=body)))


def delete_token(transport: Transport, token_id: str) -> Flow[None]:
    """End a token."""
    yield from transport.send("DELETE", f"/v2/tokens/{_encode_id(token_id)}")


def usage(transport: Transport, filters: Mapping[str, str]) -> Flow[Usage]:
    """Return the charges by day, operation and key."""
    query = {name.rstrip("_"): value for name, value in filters.items()}
    return cast(Usage, (yield from transport.json("GET", "/v2/usage", query=query)))


def wallet(transport: Transport) -> Flow[Wallet]:
    """Return the balance of the account."""
    return cast(Wallet, (yield from transport.json("GET", "/v2/wallet")))


def workers(transport: Transport) -> Flow[WorkerList]:
    """Return the account's self-hosted workers."""
    return cast(WorkerList, (yield from transport.json("GET", "/v2/workers")))


def list_uploads(transport: Transport, limit: Optional[int], cursor: Optional[str]) -> Flow[UploadList]:
    """Return a page of the account's uploads."""
    query = {name: value for name, value in (("limit", limit), ("cursor", cursor)) if value is not None}
    return cast(UploadList, (yield from transport.json("GET", "/uploads", query=query)))


def delete_upload(transport: Transport, upload_id: str) -> Flow[None]:
    """Delete an upload."""
    yield from transport.send("DELETE", f"/uploads/{_encode_id(upload_id)}")


def delete_output(transport: Transport, request_id: str) -> Flow[None]:
    """Delete the files of an ended job."""
    yield from transport.send("DELETE", f"{_path(request_id)}/output")


def _path(request_id: str) -> str:
    return f"/v2/requests/{_encode_id(request_id)}"


def _encode_id(request_id: str) -> str:
    """Write an id as a segment of a path. Raise InvalidArgumentError for what would name another path."""
    if request_id in ("", ".", ".."):
        raise InvalidArgumentError(f'"{request_id}" is no id.')
    return encode(request_id, safe="")


def _operation(model_id: str) -> Mapping[str, Any]:
    """Return what the client knows of an operation. Raise InvalidArgumentError where there is none."""
    operation: Optional[Mapping[str, Any]] = OPERATIONS.get(model_id)
    if operation is None:
        raise InvalidArgumentError(f'model_id: "{model_id}" must be one of {", ".join(OPERATIONS)}.')
    return operation


def _batch_path(model_id: str) -> str:
    """Return the path of an operation's batches. Raise InvalidArgumentError where it accepts none."""
    path = _operation(model_id).get("batch_path")
    if path is None:
        raise InvalidArgumentError(f"{model_id} accepts no batches.")
    return str(path)


def _batch_body(
    transport: Transport,
    model_id: str,
    items: Sequence[Any],
    shared: Optional[Mapping[str, Any]],
    media: Optional[str],
    uploads: List[Upload],
    on_upload: Optional[OnUpload],
) -> Flow[Dict[str, Any]]:
    """Upload the files, which are added to ``uploads``, and build the body of a batch."""
    bodies: List[Dict[str, Any]] = []
    for item in items:
        source, params = item if isinstance(item, tuple) else (item, None)
        bodies.append((yield from _body(transport, model_id, source, params, media, uploads, on_upload)))
    return {"items": bodies, **(shared or {})}


def _body(
    transport: Transport,
    model_id: str,
    source: Source,
    params: Optional[Mapping[str, Any]],
    media: Optional[str],
    uploads: List[Upload],
    on_upload: Optional[OnUpload],
) -> Flow[Dict[str, Any]]:
    """Upload a file, which is added to ``uploads``, and build the body of a request."""
    fields = _operation(model_id)["fields"]
    if is_url(source):
        url = str(source)
    else:
        file = File(source)
        media = media or (file.media_type or "").split("/")[0]
        uploaded = yield from upload(transport, file, on_upload)
        uploads.append(uploaded)
        url = uploaded.url
    # The service says what it reads where the kind is unknown.
    field = fields.get(media or "", next(iter(fields.values())))
    return {field: url, **(params or {})}
