"""The async client."""

from __future__ import annotations

import asyncio
import os
from types import TracebackType
from typing import (
    TYPE_CHECKING,
    Any,
    AsyncIterator,
    Dict,
    Literal,
    Mapping,
    Optional,
    Sequence,
    Tuple,
    Type,
    Union,
    overload,
)

import httpx

from . import _calls, _types
from ._downloads import place_whole
from ._flows import TIMEOUT, Deadline, Flow, Pause, Result, Transport
from ._types import BatchQuote, CompletedJob, Job, JobSummary, Quote, Token, UploadList, Usage, Wallet, WorkerList
from ._uploads import File, OnUpload, Source, is_url, upload

if TYPE_CHECKING:
    from typing_extensions import Unpack

#: Seconds before a lost stream of events is opened again.
_RECONNECT = 1.0


class AsyncPipelines:
    """Recipes: several operations on one source, as one job."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def run(
        self, source: Source, recipe: _types.PipelineParams, **options: Unpack[_calls.RunOptions]
    ) -> CompletedJob:
        """Run a recipe, ``steps`` and ``outputs``, or a saved one, ``preset`` and ``overrides``, and wait for its end.

        Raise JobFailedError when it fails.
        """
        return await self._client.run("pipeline", source, recipe, **options)


class AsyncClient:
    """Client of a service, to be used in ``async with``.

    Every method repeats a request after a lost connection or a status that may pass, and raises ApiError or
    ApiConnectionError. ``timeout`` is the time in seconds that a whole call may take: then it raises ApiTimeoutError.
    A source is a URL that the service fetches, the path of a file, or its bytes.

    When the task of ``run``, ``run_batch``, ``submit`` or ``submit_batch`` is canceled, so is its job.
    """

    def __init__(self, *, origin: str, api_key: str, http: Optional[httpx.AsyncClient] = None) -> None:
        """Connect to a service at an origin such as ``https://darkroom.example.com``.

        ``http`` sends the requests, with its headers, time-outs and proxies, and is closed with this client.
        """
        self._transport = Transport(origin, api_key)
        self.pipelines = AsyncPipelines(self)
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

    # Overloads of run: written by `npm run generate`.
    @overload
    async def run(self, model_id: Literal["media-convert-image"], source: Source, params: _types.MediaConvertImageParams, **options: Unpack[_calls.RunOptions]) -> CompletedJob: ...
    @overload
    async def run(self, model_id: Literal["remove-bg"], source: Source, params: Optional[_types.RemoveBgParams] = None, **options: Unpack[_calls.RunOptions]) -> CompletedJob: ...
    @overload
    async def run(self, model_id: Literal["image-moderation"], source: Source, params: Optional[_types.ImageModerationParams] = None, **options: Unpack[_calls.RunOptions]) -> CompletedJob: ...
    @overload
    async def run(self, model_id: Literal["image-outpaint"], source: Source, params: Optional[_types.ImageOutpaintParams] = None, **options: Unpack[_calls.RunOptions]) -> CompletedJob: ...
    @overload
    async def run(self, model_id: Literal["upscale"], source: Source, params: Optional[_types.UpscaleParams] = None, **options: Unpack[_calls.RunOptions]) -> CompletedJob: ...
    @overload
    async def run(self, model_id: Literal["audio-diarize"], source: Source, params: Optional[_types.AudioDiarizeParams] = None, **options: Unpack[_calls.RunOptions]) -> CompletedJob: ...
    @overload
    async def run(self, model_id: Literal["audio-separate-stems"], source: Source, params: Optional[_types.AudioSeparateStemsParams] = None, **options: Unpack[_calls.RunOptions]) -> CompletedJob: ...
    @overload
    async def run(self, model_id: Literal["pipeline"], source: Source, params: Optional[_types.PipelineParams] = None, **options: Unpack[_calls.RunOptions]) -> CompletedJob: ...
    # End of the overloads.
    async def run(
        self, model_id: str, source: Source, params: Optional[Mapping[str, Any]] = None, **options: Any
    ) -> CompletedJob:
        """Run an operation, and wait for its end. Raise JobFailedError when it fails.

        The options are those of RunOptions: ``media``, ``idempotency_key``, ``webhook_url``, ``cache``, ``on_upload``,
        ``on_progress`` and ``timeout``.
        """
        timeout = options.pop("timeout", None)
        return await self._drive(_calls.run(self._transport, model_id, source, params, **options), timeout)

    # Overloads of run_batch: written by `npm run generate`.
    @overload
    async def run_batch(self, model_id: Literal["media-convert-image"], items: Sequence[Union[Source, Tuple[Source, _types.MediaConvertImageParams]]], shared: Optional[_types.MediaConvertImageBatchParams] = None, **options: Unpack[_calls.RunOptions]) -> _types.MediaConvertImageBatch: ...
    @overload
    async def run_batch(self, model_id: Literal["remove-bg"], items: Sequence[Union[Source, Tuple[Source, _types.RemoveBgParams]]], shared: Optional[_types.RemoveBgBatchParams] = None, **options: Unpack[_calls.RunOptions]) -> _types.RemoveBgBatch: ...
    @overload
    async def run_batch(self, model_id: Literal["image-moderation"], items: Sequence[Union[Source, Tuple[Source, _types.ImageModerationParams]]], shared: Optional[_types.ImageModerationBatchParams] = None, **options: Unpack[_calls.RunOptions]) -> _types.ImageModerationBatch: ...
    @overload
    async def run_batch(self, model_id: Literal["image-outpaint"], items: Sequence[Union[Source, Tuple[Source, _types.ImageOutpaintParams]]], shared: Optional[_types.ImageOutpaintBatchParams] = None, **options: Unpack[_calls.RunOptions]) -> _types.ImageOutpaintBatch: ...
    @overload
    async def run_batch(self, model_id: Literal["upscale"], items: Sequence[Union[Source, Tuple[Source, _types.UpscaleParams]]], shared: Optional[_types.UpscaleBatchParams] = None, **options: Unpack[_calls.RunOptions]) -> _types.UpscaleBatch: ...
    @overload
    async def run_batch(self, model_id: Literal["pipeline"], items: Sequence[Union[Source, Tuple[Source, _types.PipelineParams]]], shared: Optional[_types.PipelineBatchParams] = None, **options: Unpack[_calls.RunOptions]) -> _types.PipelineBatch: ...
    # End of the overloads.
    async def run_batch(
        self, model_id: str, items: Sequence[Any], shared: Optional[Mapping[str, Any]] = None, **options: Any
    ) -> Any:
        """Run an operation on 1 to 100 sources as one job, and wait for its end.

        An item is a source, or a tuple of one and its own params; ``shared`` are those of all others. In the job
        ``output["items"]`` has each result or error in order. The options are those of RunOptions. Raise
        InvalidArgumentError for an operation without batches.
        """
        timeout = options.pop("timeout", None)
        return await self._drive(_calls.run_batch(self._transport, model_id, items, shared, **options), timeout)

    # Overloads of submit: written by `npm run generate`.
    @overload
    async def submit(self, model_id: Literal["media-convert-image"], source: Source, params: _types.MediaConvertImageParams, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    @overload
    async def submit(self, model_id: Literal["remove-bg"], source: Source, params: Optional[_types.RemoveBgParams] = None, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    @overload
    async def submit(self, model_id: Literal["image-moderation"], source: Source, params: Optional[_types.ImageModerationParams] = None, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    @overload
    async def submit(self, model_id: Literal["image-outpaint"], source: Source, params: Optional[_types.ImageOutpaintParams] = None, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    @overload
    async def submit(self, model_id: Literal["upscale"], source: Source, params: Optional[_types.UpscaleParams] = None, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    @overload
    async def submit(self, model_id: Literal["audio-diarize"], source: Source, params: Optional[_types.AudioDiarizeParams] = None, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    @overload
    async def submit(self, model_id: Literal["audio-separate-stems"], source: Source, params: Optional[_types.AudioSeparateStemsParams] = None, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    @overload
    async def submit(self, model_id: Literal["pipeline"], source: Source, params: Optional[_types.PipelineParams] = None, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    # End of the overloads.
    async def submit(
        self, model_id: str, source: Source, params: Optional[Mapping[str, Any]] = None, **options: Any
    ) -> str:
        """Send a request. Return its request_id, without waiting for the job where there is one to poll.

        The options are those of SubmitOptions.
        """
        timeout = options.pop("timeout", None)
        return await self._drive(_calls.submit(self._transport, model_id, source, params, **options), timeout)

    # Overloads of submit_batch: written by `npm run generate`.
    @overload
    async def submit_batch(self, model_id: Literal["media-convert-image"], items: Sequence[Union[Source, Tuple[Source, _types.MediaConvertImageParams]]], shared: Optional[_types.MediaConvertImageBatchParams] = None, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    @overload
    async def submit_batch(self, model_id: Literal["remove-bg"], items: Sequence[Union[Source, Tuple[Source, _types.RemoveBgParams]]], shared: Optional[_types.RemoveBgBatchParams] = None, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    @overload
    async def submit_batch(self, model_id: Literal["image-moderation"], items: Sequence[Union[Source, Tuple[Source, _types.ImageModerationParams]]], shared: Optional[_types.ImageModerationBatchParams] = None, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    @overload
    async def submit_batch(self, model_id: Literal["image-outpaint"], items: Sequence[Union[Source, Tuple[Source, _types.ImageOutpaintParams]]], shared: Optional[_types.ImageOutpaintBatchParams] = None, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    @overload
    async def submit_batch(self, model_id: Literal["upscale"], items: Sequence[Union[Source, Tuple[Source, _types.UpscaleParams]]], shared: Optional[_types.UpscaleBatchParams] = None, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    @overload
    async def submit_batch(self, model_id: Literal["pipeline"], items: Sequence[Union[Source, Tuple[Source, _types.PipelineParams]]], shared: Optional[_types.PipelineBatchParams] = None, **options: Unpack[_calls.SubmitOptions]) -> str: ...
    # End of the overloads.
    async def submit_batch(
        self, model_id: str, items: Sequence[Any], shared: Optional[Mapping[str, Any]] = None, **options: Any
    ) -> str:
        """Send 1 to 100 sources as one request. Return its request_id, without waiting for the job."""
        timeout = options.pop("timeout", None)
        return await self._drive(_calls.submit_batch(self._transport, model_id, items, shared, **options), timeout)

    # Overloads of quote: written by `npm run generate`.
    @overload
    async def quote(self, model_id: Literal["media-convert-image"], source: Source, params: _types.MediaConvertImageParams, **options: Unpack[_calls.QuoteOptions]) -> Quote: ...
    @overload
    async def quote(self, model_id: Literal["remove-bg"], source: Source, params: Optional[_types.RemoveBgParams] = None, **options: Unpack[_calls.QuoteOptions]) -> Quote: ...
    @overload
    async def quote(self, model_id: Literal["image-moderation"], source: Source, params: Optional[_types.ImageModerationParams] = None, **options: Unpack[_calls.QuoteOptions]) -> Quote: ...
    @overload
    async def quote(self, model_id: Literal["image-outpaint"], source: Source, params: Optional[_types.ImageOutpaintParams] = None, **options: Unpack[_calls.QuoteOptions]) -> Quote: ...
    @overload
    async def quote(self, model_id: Literal["upscale"], source: Source, params: Optional[_types.UpscaleParams] = None, **options: Unpack[_calls.QuoteOptions]) -> Quote: ...
    @overload
    async def quote(self, model_id: Literal["audio-diarize"], source: Source, params: Optional[_types.AudioDiarizeParams] = None, **options: Unpack[_calls.QuoteOptions]) -> Quote: ...
    @overload
    async def quote(self, model_id: Literal["audio-separate-stems"], source: Source, params: Optional[_types.AudioSeparateStemsParams] = None, **options: Unpack[_calls.QuoteOptions]) -> Quote: ...
    @overload
    async def quote(self, model_id: Literal["pipeline"], source: Source, params: Optional[_types.PipelineParams] = None, **options: Unpack[_calls.QuoteOptions]) -> Quote: ...
    # End of the overloads.
    async def quote(
        self, model_id: str, source: Source, params: Optional[Mapping[str, Any]] = None, **options: Any
    ) -> Quote:
        """Return the price of a request, and the engine that would run. A file is uploaded for it. Charge nothing."""
        timeout = options.pop("timeout", None)
        return await self._drive(_calls.quote(self._transport, model_id, source, params, **options), timeout)

    # Overloads of quote_batch: written by `npm run generate`.
    @overload
    async def quote_batch(self, model_id: Literal["media-convert-image"], items: Sequence[Union[Source, Tuple[Source, _types.MediaConvertImageParams]]], shared: Optional[_types.MediaConvertImageBatchParams] = None, **options: Unpack[_calls.QuoteOptions]) -> BatchQuote: ...
    @overload
    async def quote_batch(self, model_id: Literal["remove-bg"], items: Sequence[Union[Source, Tuple[Source, _types.RemoveBgParams]]], shared: Optional[_types.RemoveBgBatchParams] = None, **options: Unpack[_calls.QuoteOptions]) -> BatchQuote: ...
    @overload
    async def quote_batch(self, model_id: Literal["image-moderation"], items: Sequence[Union[Source, Tuple[Source, _types.ImageModerationParams]]], shared: Optional[_types.ImageModerationBatchParams] = None, **options: Unpack[_calls.QuoteOptions]) -> BatchQuote: ...
    @overload
    async def quote_batch(self, model_id: Literal["image-outpaint"], items: Sequence[Union[Source, Tuple[Source, _types.ImageOutpaintParams]]], shared: Optional[_types.ImageOutpaintBatchParams] = None, **options: Unpack[_calls.QuoteOptions]) -> BatchQuote: ...
    @overload
    async def quote_batch(self, model_id: Literal["upscale"], items: Sequence[Union[Source, Tuple[Source, _types.UpscaleParams]]], shared: Optional[_types.UpscaleBatchParams] = None, **options: Unpack[_calls.QuoteOptions]) -> BatchQuote: ...
    @overload
    async def quote_batch(self, model_id: Literal["pipeline"], items: Sequence[Union[Source, Tuple[Source, _types.PipelineParams]]], shared: Optional[_types.PipelineBatchParams] = None, **options: Unpack[_calls.QuoteOptions]) -> BatchQuote: ...
    # End of the overloads.
    async def quote_batch(
        self, model_id: str, items: Sequence[Any], shared: Optional[Mapping[str, Any]] = None, **options: Any
    ) -> BatchQuote:
        """Return the prices of a batch and of its items, or the error of each. Files are uploaded for it. Charge nothing.

        Raise InvalidArgumentError for an operation without batches.
        """
        timeout = options.pop("timeout", None)
        return await self._drive(_calls.quote_batch(self._transport, model_id, items, shared, **options), timeout)

    async def create_token(
        self,
        *,
        max_usd: str,
        expires_in_seconds: int,
        operations: Optional[Sequence[str]] = None,
        timeout: Optional[float] = None,
    ) -> Token:
        """Make a short-lived token of the key, for a page or an app that must not have the key itself."""
        return await self._drive(
            _calls.create_token(self._transport, max_usd, expires_in_seconds, operations), timeout
        )

    async def delete_token(self, token_id: str, *, timeout: Optional[float] = None) -> None:
        """End a token at once. Requests that it has sent continue. Raise NotFoundError where there is none."""
        await self._drive(_calls.delete_token(self._transport, token_id), timeout)

    async def wait(
        self,
        request_id: str,
        on_progress: Optional[_calls.OnProgress] = None,
        *,
        timeout: Optional[float] = None,
    ) -> CompletedJob:
        """Wait for the end of a job, which goes on when the wait is canceled. Raise JobFailedError when it fails."""
        return await self._drive(_calls.wait(self._transport, request_id, on_progress), timeout)

    async def events(self, request_id: str) -> AsyncIterator[Job]:
        """Yield each state of a job until it has ended, as it changes. Connect again when the stream breaks off."""
        reader = _calls.EventReader()
        while True:
            response = await self._drive(_calls.open_events(self._transport, request_id, reader.last_id))
            try:
                if response.status_code == httpx.codes.NO_CONTENT:
                    return
                async for line in response.aiter_lines():
                    job = reader.read(line)
                    if job is not None:
                        yield job
                        if _calls.has_ended(job):
                            return
            except httpx.TransportError:
                pass
            finally:
                await response.aclose()
            await asyncio.sleep(_RECONNECT)

    async def get_job(self, request_id: str, *, timeout: Optional[float] = None) -> Job:
        """Return a job. Raise NotFoundError where there is none."""
        return await self._drive(_calls.get_job(self._transport, request_id), timeout)

    async def cancel(self, request_id: str, *, timeout: Optional[float] = None) -> Job:
        """Cancel a job. Raise ConflictError when it has ended."""
        return await self._drive(_calls.cancel(self._transport, request_id), timeout)

    async def list_requests(self, *, timeout: Optional[float] = None, **filters: Any) -> Dict[str, Any]:
        """Return a page of the account's requests, newest first.

        The filters are ``status``, ``operation``, ``reference``, ``metadata``, ``from_``, ``to``, ``limit`` and
        ``cursor``.
        """
        return await self._drive(_calls.list_requests(self._transport, filters), timeout)

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

    async def usage(self, *, timeout: Optional[float] = None, **filters: str) -> Usage:
        """Return the charges by day, operation and key. The filters are ``from_`` and ``to``."""
        return await self._drive(_calls.usage(self._transport, filters), timeout)

    async def wallet(self, *, timeout: Optional[float] = None) -> Wallet:
        """Return the balance of the key's account."""
        return await self._drive(_calls.wallet(self._transport), timeout)

    async def workers(self, *, timeout: Optional[float] = None) -> WorkerList:
        """Return the account's self-hosted workers, with when each was seen and what it runs."""
        return await self._drive(_calls.workers(self._transport), timeout)

    async def delete_output(self, request_id: str, *, timeout: Optional[float] = None) -> None:
        """Delete the files of an ended job from the service. Raise ConflictError while it runs."""
        await self._drive(_calls.delete_output(self._transport, request_id), timeout)

    async def upload(
        self,
        source: Union[str, "os.PathLike[str]", bytes],
        *,
        on_upload: Optional[OnUpload] = None,
        expires_in_hours: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> str:
        """Upload a file. Return a URL that works as the input of requests until it expires, after 24 hours or so long."""
        is_url(source)
        flow = upload(self._transport, File(source), on_upload, expires_in_hours)
        return (await self._drive(flow, timeout)).url

    async def list_uploads(
        self, *, limit: Optional[int] = None, cursor: Optional[str] = None, timeout: Optional[float] = None
    ) -> UploadList:
        """Return a page of the account's uploads, newest first."""
        return await self._drive(_calls.list_uploads(self._transport, limit, cursor), timeout)

    async def delete_upload(self, upload_id: str, *, timeout: Optional[float] = None) -> None:
        """Delete an upload. Jobs that were accepted with it keep its bytes. Raise NotFoundError where there is none."""
        await self._drive(_calls.delete_upload(self._transport, upload_id), timeout)

    async def download(
        self,
        url: str,
        path: Union[str, "os.PathLike[str]", None] = None,
        *,
        timeout: Optional[float] = None,
    ) -> bytes:
        """Return the bytes of a result, or with a ``path`` store them there and return nothing.

        Raise NotFoundError once the result has expired.
        """
        if path is None:
            return (await self._drive(self._transport.send("GET", url), timeout)).content
        response = await self._drive(self._transport.send("GET", url, is_streamed=True), timeout)
        try:
            with place_whole(path) as part:
                async for chunk in response.aiter_bytes():
                    part.write(chunk)
        finally:
            await response.aclose()
        return b""

    async def _drive(self, flow: Flow[Result], timeout: Optional[float] = None) -> Result:
        """Carry out the steps of a flow. What one of them raises is thrown into it."""
        deadline = Deadline(timeout)
        try:
            step = next(flow)
            while True:
                try:
                    if isinstance(step, Pause):
                        await asyncio.sleep(deadline.left(step.seconds))
                        response = None
                    else:
                        request = step.build(self._http, deadline)
                        response = await self._http.send(request, stream=step.is_streamed)
                        if not response.is_success:
                            await response.aread()
                except BaseException as raised:
                    error, deadline = deadline.after(raised)
                    step = flow.throw(error)
                else:
                    step = flow.send(response)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
