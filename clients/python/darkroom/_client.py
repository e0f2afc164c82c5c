"""The sync client."""

from __future__ import annotations

import os
import time
from types import TracebackType
from typing import Any, Dict, Iterator, Optional, Sequence, Type, Union

import httpx

from . import _calls
from ._downloads import place_whole
from ._flows import TIMEOUT, Flow, Pause, Result, Transport
from ._types import Job, JobSummary, ModelId, Params, Quote, Usage, Wallet
from ._uploads import File, Source, upload


class Client:
    """Client of a service, to be used as a context manager.

    Every method repeats a request after a lost connection or a status that may pass, and raises ApiError or
    ApiConnectionError. A source is a URL that the service fetches, the path of a file, or its bytes.
    """

    def __init__(self, *, origin: str, api_key: str, http: Optional[httpx.Client] = None) -> None:
        """Connect to a service at an origin such as ``https://darkroom.example.com``."""
        self._transport = Transport(origin, api_key)
        self._http = http or httpx.Client(timeout=TIMEOUT, follow_redirects=True)

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def run(
        self,
        model_id: ModelId,
        source: Source,
        params: Optional[Params] = None,
        *,
        media: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        webhook_url: Optional[str] = None,
        on_progress: Optional[_calls.OnProgress] = None,
    ) -> Job:
        """Run an operation, and wait for its end. Raise JobFailedError when it fails.

        ``media`` is the kind of an input given by URL or bytes: ``image``, ``video`` or ``audio``. ``on_progress``
        receives each state of the job that is read.
        """
        options = {"media": media, "idempotency_key": idempotency_key, "webhook_url": webhook_url}
        flow = _calls.run(self._transport, model_id, source, params, on_progress=on_progress, **options)
        return self._drive(flow)

    def run_batch(
        self,
        model_id: ModelId,
        items: Sequence[_calls.BatchItem],
        shared: Optional[Params] = None,
        *,
        idempotency_key: Optional[str] = None,
        webhook_url: Optional[str] = None,
        on_progress: Optional[_calls.OnProgress] = None,
    ) -> Job:
        """Run an operation on 1 to 100 sources as one job, and wait for its end.

        An item is a source, or a tuple of one and its own params; ``shared`` are those of all others. In the job
        ``output["items"]`` has each result or error in order. Raise ValueError for an operation without batches.
        """
        options = {"idempotency_key": idempotency_key, "webhook_url": webhook_url}
        flow = _calls.run_batch(self._transport, model_id, items, shared, on_progress=on_progress, **options)
        return self._drive(flow)

    def submit(
        self,
        model_id: ModelId,
        source: Source,
        params: Optional[Params] = None,
        *,
        media: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        webhook_url: Optional[str] = None,
    ) -> str:
        """Send a request. Return its request_id, without waiting for the job where there is one to poll."""
        options = {"media": media, "idempotency_key": idempotency_key, "webhook_url": webhook_url}
        return self._drive(_calls.submit(self._transport, model_id, source, params, **options))

    def wait(self, request_id: str, on_progress: Optional[_calls.OnProgress] = None) -> Job:
        """Wait for the end of a job. Raise JobFailedError when it fails."""
        return self._drive(_calls.wait(self._transport, request_id, on_progress))

    def get_job(self, request_id: str) -> Job:
        """Return a job. Raise NotFoundError where there is none."""
        return self._drive(_calls.get_job(self._transport, request_id))

    def cancel(self, request_id: str) -> Job:
        """Cancel a job. Raise ConflictError when it has ended."""
        return self._drive(_calls.cancel(self._transport, request_id))

    def list_requests(self, **filters: Any) -> Dict[str, Any]:
        """Return a page of the account's requests, newest first, filtered by such as ``status`` or ``metadata``."""
        return self._drive(_calls.list_requests(self._transport, filters))

    def all_requests(self, **filters: Any) -> Iterator[JobSummary]:
        """Yield all of the account's requests, newest first. ``limit`` is the size of a page."""
        cursor = filters.pop("cursor", None)
        while True:
            page = self.list_requests(**filters, cursor=cursor)
            yield from page["requests"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def quote(
        self, model_id: ModelId, source: Source, params: Optional[Params] = None, *, media: Optional[str] = None
    ) -> Quote:
        """Return the price of a request, and the engine that would run. A file is uploaded for it. Charge nothing."""
        return self._drive(_calls.quote(self._transport, model_id, source, params, media))

    def usage(self, **filters: str) -> Usage:
        """Return the charges by day, operation and key."""
        return self._drive(_calls.usage(self._transport, filters))

    def wallet(self) -> Wallet:
        """Return the balance of the key's account."""
        return self._drive(_calls.wallet(self._transport))

    def upload(self, source: Union[str, "os.PathLike[str]", bytes]) -> str:
        """Upload a file. Return a URL that works as the input of one request."""
        return self._drive(upload(self._transport, File(source)))

    def download(self, url: str, path: Union[str, "os.PathLike[str]", None] = None) -> bytes:
        """Return the bytes of a result, or with a ``path`` store them there and return nothing.

        Raise NotFoundError once the result has expired.
        """
        if path is None:
            return self._drive(self._transport.send("GET", url)).content
        response = self._drive(self._transport.send("GET", url, is_streamed=True))
        try:
            with place_whole(path) as part:
                for chunk in response.iter_bytes():
                    part.write(chunk)
        finally:
            response.close()
        return b""

    def _drive(self, flow: Flow[Result]) -> Result:
        """Carry out the steps of a flow."""
        try:
            step = next(flow)
            while True:
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                    step = flow.send(None)
                    continue
                try:
                    response = self._http.send(step.request, stream=step.is_streamed)
                    if not response.is_success:
                        response.read()
                except httpx.TransportError as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(response)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
