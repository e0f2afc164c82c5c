"""The async client."""

from __future__ import annotations

import asyncio
import os
from types import TracebackType
from typing import Any, AsyncIterator, Dict, Optional, Sequence, Type, Union

import httpx

from . import _calls
from ._downloads import place_whole
from ._flows import TIMEOUT, Flow, Pause, Result, Transport
from ._types import Job, JobSummary, ModelId, Params, Quote, Usage, Wallet
from ._uploads import File, Source, upload


class AsyncClient:
    """Client of a service, to be used in ``async with``.

    Every method repeats a request after a lost connection or a status that may pass, and raises ApiError or
    ApiConnectionError. A source is a URL that the service fetches, the path of a file, or its bytes.
    """

    def __init__(self, *, origin: str, api_key: str, http: Optional[httpx.AsyncClient] = None) -> None:
        """Connect to a service at an origin such as ``https://darkroom.example.com``."""
        self._transport = Transport(origin, api_key)
        self._http = http or httpx.AsyncClient(timeout=TIMEOUT, follow_redirects=True)

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections."""
        await self._http.aclose()

    async def run(
        self,
        model_id: ModelId,
        source: Source,
        params: Optional[Params] = None,
        *,
        media: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        webhook_url: Optional[str] = None,
        cache: bool = True,
        on_progress: Optional[_calls.OnProgress] = None,
    ) -> Job:
        """Run an operation, and wait for its end. Raise JobFailedError when it fails.

        ``media`` is the kind of an input given by URL or bytes: ``image``, ``video`` or ``audio``. ``on_progress``
        receives each state of the job that is read. ``cache=False`` asks for a new run where the service has the
        result of the same request.
        """
        options: Dict[str, Any] = {"media": media, "idempotency_key": idempotency_key}
        options.update(webhook_url=webhook_url, cache=cache)
        flow = _calls.run(self._transport, model_id, source, params, on_progress=on_progress, **options)
        return await self._drive(flow)

    async def run_batch(
        self,
        model_id: ModelId,
        items: Sequence[_calls.BatchItem],
        shared: Optional[Params] = None,
        *,
        idempotency_key: Optional[str] = None,
        webhook_url: Optional[str] = None,
        cache: bool = True,
        on_progress: Optional[_calls.OnProgress] = None,
    ) -> Job:
        """Run an operation on 1 to 100 sources as one job, and wait for its end.

        An item is a source, or a tuple of one and its own params; ``shared`` are those of all others. In the job
        ``output["items"]`` has each result or error in order. Raise ValueError for an operation without batches.
        """
        options: Dict[str, Any] = {"idempotency_key": idempotency_key, "webhook_url": webhook_url}
        options["cache"] = cache
        flow = _calls.run_batch(self._transport, model_id, items, shared, on_progress=on_progress, **options)
        return await self._drive(flow)

    async def submit(
        self,
        model_id: ModelId,
        source: Source,
        params: Optional[Params] = None,
        *,
        media: Optional[str] = None,
        idempotency_key: Optional[str] = None,
        webhook_url: Optional[str] = None,
        cache: bool = True,
    ) -> str:
        """Send a request. Return its request_id, without waiting for the job where there is one to poll."""
        options: Dict[str, Any] = {"media": media, "idempotency_key": idempotency_key}
        options.update(webhook_url=webhook_url, cache=cache)
        return await self._drive(_calls.submit(self._transport, model_id, source, params, **options))

    async def wait(self, request_id: str, on_progress: Optional[_calls.OnProgress] = None) -> Job:
        """Wait for the end of a job. Raise JobFailedError when it fails."""
        return await self._drive(_calls.wait(self._transport, request_id, on_progress))

    async def get_job(self, request_id: str) -> Job:
        """Return a job. Raise NotFoundError where there is none."""
        return await self._drive(_calls.get_job(self._transport, request_id))

    async def cancel(self, request_id: str) -> Job:
        """Cancel a job. Raise ConflictError when it has ended."""
        return await self._drive(_calls.cancel(self._transport, request_id))

    async def list_requests(self, **filters: Any) -> Dict[str, Any]:
        """Return a page of the account's requests, newest first, filtered by such as ``status`` or ``metadata``."""
        return await self._drive(_calls.list_requests(self._transport, filters))

    async def all_requests(self, **filters: Any) -> AsyncIterator[JobSummary]:
        """Yield all of the account's requests, newest first. ``limit`` is the size of a page."""
        cursor = filters.pop("cursor", None)
        while True:
            page = await self.list_requests(**filters, cursor=cursor)
            for request in page["requests"]:
                yield request
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def quote(
        self, model_id: ModelId, source: Source, params: Optional[Params] = None, *, media: Optional[str] = None
    ) -> Quote:
        """Return the price of a request, and the engine that would run. A file is uploaded for it. Charge nothing."""
        return await self._drive(_calls.quote(self._transport, model_id, source, params, media))

    async def usage(self, **filters: str) -> Usage:
        """Return the charges by day, operation and key."""
        return await self._drive(_calls.usage(self._transport, filters))

    async def wallet(self) -> Wallet:
        """Return the balance of the key's account."""
        return await self._drive(_calls.wallet(self._transport))

    async def upload(self, source: Union[str, "os.PathLike[str]", bytes]) -> str:
        """Upload a file. Return a URL that works as the input of one request."""
        return await self._drive(upload(self._transport, File(source)))

    async def download(self, url: str, path: Union[str, "os.PathLike[str]", None] = None) -> bytes:
        """Return the bytes of a result, or with a ``path`` store them there and return nothing.

        Raise NotFoundError once the result has expired.
        """
        if path is None:
            return (await self._drive(self._transport.send("GET", url))).content
        response = await self._drive(self._transport.send("GET", url, is_streamed=True))
        try:
            with place_whole(path) as part:
                async for chunk in response.aiter_bytes():
                    part.write(chunk)
        finally:
            await response.aclose()
        return b""

    async def _drive(self, flow: Flow[Result]) -> Result:
        """Carry out the steps of a flow."""
        try:
            step = next(flow)
            while True:
                if isinstance(step, Pause):
                    await asyncio.sleep(step.seconds)
                    step = flow.send(None)
                    continue
                try:
                    response = await self._http.send(step.request, stream=step.is_streamed)
                    if not response.is_success:
                        await response.aread()
                except httpx.TransportError as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(response)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
