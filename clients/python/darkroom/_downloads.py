"""Files that appear whole."""

from __future__ import annotations

import os
import tempfile
from contextlib import contextmanager
from typing import IO, Iterator, Union


@contextmanager
def place_whole(path: Union[str, "os.PathLike[str]"]) -> Iterator[IO[bytes]]:
    """Open a file next to a path, and move it there once it is written: no one sees a part of it."""
    target = os.path.abspath(path)
    part = tempfile.NamedTemporaryFile(dir=os.path.dirname(target), prefix=".darkroom-", delete=False)
    try:
        with part:
            yield part
        os.replace(part.name, target)
    except BaseException:
        os.unlink(part.name)
        raise
