"""Uploads of files, in parts that resume after a lost connection."""

from __future__ import annotations

import mimetypes
import os
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Type, Union
from urllib.parse import quote as encode
from urllib.parse import urlsplit

import httpx

from ._errors import ApiConnectionError, ApiError, DarkroomError, InvalidArgumentError
from ._flows import INTERRUPTIONS, Flow, Pause, Transport

#: Size from which a file is sent in parts, and that of each part.
PART_BYTES = 16 * 1024 * 1024
#: Attempts in a row that bring no byte further.
_ATTEMPTS_MAX = 5
_FIRST_PAUSE = 0.5
_CONFLICT = 409
#: What ends an upload before its last byte.
_ENDS: Tuple[Type[BaseException], ...] = (*INTERRUPTIONS, DarkroomError)

#: A URL that the service fetches, the path of a file, or its bytes.
Source = Union[str, "os.PathLike[str]", bytes]
#: Called with the bytes of a file that have been sent, and with all of them.
OnUpload = Callable[[int, int], None]


@dataclass(frozen=True)
class File:
    """A file to send: its path or its bytes."""

    source: Union[str, "os.PathLike[str]", bytes]

    @property
    def size(self) -> int:
        """Return the bytes of the file."""
        return len(self.source) if isinstance(self.source, bytes) else os.path.getsize(self.source)

    @property
    def name(self) -> Optional[str]:
        """Return the name of the file, after which results are named."""
        return None if isinstance(self.source, bytes) else os.path.basename(os.fspath(self.source))[:255] or None

    @property
    def media_type(self) -> Optional[str]:
        """Return the media type by the file's name."""
        return None if isinstance(self.source, bytes) else mimetypes.guess_type(os.fspath(self.source))[0]

    def read(self, offset: int, length: int) -> bytes:
        """Read a part of the file."""
        if isinstance(self.source, bytes):
            return self.source[offset : offset + length]
        with open(self.source, "rb") as opened:
            opened.seek(offset)
            return opened.read(length)


def is_url(source: Source) -> bool:
    """Report whether a source is a URL. Raise InvalidArgumentError for what is no source."""
    if not isinstance(source, (str, bytes, os.PathLike)):
        kind = type(source).__name__
        raise InvalidArgumentError(f"source: must be a URL, the path of a file or its bytes, not {kind}.")
    return isinstance(source, str) and source.lower().startswith(("http://", "https://"))


@dataclass(frozen=True)
class Upload:
    """File at the service."""

    url: str
    id: str


def delete_uploads(transport: Transport, uploads: List[Upload]) -> Flow[None]:
    """Delete files that requests have used: their jobs keep the bytes."""
    for each in uploads:
        yield from transport.delete_quietly(f"/uploads/{encode(each.id, safe='')}")


def upload(
    transport: Transport,
    file: File,
    on_upload: Optional[OnUpload] = None,
    expires_in_hours: Optional[int] = None,
) -> Flow[Upload]:
    """Upload a file."""
    size = file.size
    fields: Dict[str, Any] = {}
    if file.name is not None:
        fields["name"] = file.name
    if expires_in_hours is not None:
        fields["expires_in_hours"] = expires_in_hours
    if size > PART_BYTES:
        return (yield from _upload_in_parts(transport, file, {"bytes": size, **fields}, on_upload))
    headers = {"content-type": file.media_type or "application/octet-stream"}
    content = lambda: file.read(0, size)  # noqa: E731
    uploaded = yield from transport.json("POST", "/uploads", content=content, query=fields, headers=headers)
    if on_upload is not None:
        on_upload(size, size)
    return Upload(uploaded["upload_url"], uploaded["upload_id"])


def _upload_in_parts(
    transport: Transport, file: File, body: Mapping[str, Any], on_upload: Optional[OnUpload]
) -> Flow[Upload]:
    size = int(body["bytes"])
    started: Any = yield from transport.json("POST", "/v2/uploads", json=body)
    path = urlsplit(started["parts_url"])
    _, _, rest = path.path.rpartition("/api/")
    parts = f"/{rest}?{path.query}" if path.query else f"/{rest}"
    offset = attempts = 0
    try:
        while offset < size:
            reached = yield from _send_part(transport, parts, file, offset)
            if on_upload is not None:
                on_upload(reached, size)
            if reached > offset:
                attempts = 0
            else:
                attempts += 1
                if attempts == _ATTEMPTS_MAX:
                    raise ApiConnectionError("The upload does not get any further.")
                yield Pause(_FIRST_PAUSE * 2**attempts)
            offset = reached
    except _ENDS:
        # Its caller has no name of it.
        yield from transport.delete_quietly(parts)
        raise
    return Upload(started["upload_url"], started["upload_id"])


def _send_part(transport: Transport, path: str, file: File, offset: int) -> Flow[int]:
    """Send the next part. Return how many bytes of the file the service has then."""
    headers = {"content-type": "application/offset+octet-stream", "upload-offset": str(offset)}
    part = file.read(offset, PART_BYTES)
    try:
        response = yield from transport.send("PATCH", path, content=part, headers=headers)
    except (ApiConnectionError, ApiError) as error:
        # A part that was repeated after a lost connection finds that some of it has arrived.
        if isinstance(error, ApiError) and error.status != _CONFLICT:
            raise
        response = yield from transport.send("HEAD", path)
    return _offset(response)


def _offset(response: httpx.Response) -> int:
    text = response.headers.get("upload-offset", "")
    if text.isdigit():
        return int(text)
    raise ApiConnectionError("The service did not say how much of the upload has arrived.")
