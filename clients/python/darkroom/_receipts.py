"""Receipts of jobs, and their signatures."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from typing import Any, Dict, List, Literal, Mapping, Tuple, TypedDict, Union, cast

from ._errors import DarkroomError


class ReceiptFile(TypedDict):
    """File that a receipt names. ``sha256`` is in hex."""

    name: str
    sha256: str
    bytes: int


class ReceiptWeights(TypedDict):
    """File of weights that ran. ``sha256`` is in hex."""

    id: str
    sha256: str


class Receipt(TypedDict):
    """Signed statement of what a job did. ``iss`` is the URL of the service; ``test`` is there for a test key's job."""

    iss: str
    request_id: str
    model_id: str
    engine: Union[str, None]
    weights: List[ReceiptWeights]
    params: Any
    inputs: List[ReceiptFile]
    outputs: List[ReceiptFile]
    charged_usd: str
    created_at: str
    completed_at: str


#: Type in the header of a receipt. Those of earlier versions have none.
_TYPE = "darkroom-receipt+jwt"


class ReceiptError(DarkroomError):
    """Refusal of a receipt: its signature is not that of the service, or it does not name the file."""


def verify_receipt(receipt: str, keys: Mapping[str, Any]) -> Receipt:
    """Check a receipt: a compact JWS (RFC 7515) signed by Ed25519 (RFC 8037). No network is needed.

    ``keys`` is the JSON of the service's ``/.well-known/jwks.json``. Raise ReceiptError when none of them has signed
    the receipt.
    """
    head, _, rest = receipt.strip().partition(".")
    body, _, signature = rest.partition(".")
    header = _object(head)
    # A receipt has no extension that a verifier would have to understand (RFC 7515, section 4.1.11).
    is_receipt = header.get("alg") == "EdDSA" and header.get("typ", _TYPE) == _TYPE and "crit" not in header
    if not is_receipt or "." in signature:
        raise ReceiptError("This is not a receipt.")
    for key in keys.get("keys", []):
        if (key.get("kid"), key.get("kty"), key.get("crv")) == (header.get("kid"), "OKP", "Ed25519"):
            if not _is_signed(_bytes(key.get("x", "")), _bytes(signature), f"{head}.{body}".encode()):
                raise ReceiptError("The signature of the receipt is wrong: the receipt was changed.")
            return cast(Receipt, _object(body))
    raise ReceiptError("The keys do not contain the one that signed the receipt.")


def find_receipt_file(receipt: Receipt, sha256: str) -> Tuple[Literal["output", "input"], ReceiptFile]:
    """Find a file in a receipt by the SHA-256 of its bytes, in hex. Raise ReceiptError when it does not name it."""
    roles: List[Tuple[Literal["output", "input"], List[ReceiptFile]]] = [
        ("output", receipt["outputs"]),
        ("input", receipt["inputs"]),
    ]
    for role, files in roles:
        for file in files:
            if file["sha256"] == sha256.lower():
                return role, file
    raise ReceiptError("The receipt does not name this file: the file is another one, or was changed.")


def _bytes(text: str) -> bytes:
    """Decode base64url as a JWS has it: without padding, and written in the only way. Other texts have no bytes."""
    try:
        decoded = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        return b""
    return decoded if base64.urlsafe_b64encode(decoded).decode().rstrip("=") == text else b""


def _object(part: str) -> Dict[str, Any]:
    try:
        value = json.loads(_bytes(part))
    except ValueError:
        value = None
    if isinstance(value, dict):
        return value
    raise ReceiptError("This is not a receipt.")


# Ed25519 as RFC 8032 describes it. What it reads is public, so its time may depend on it.
_P = 2**255 - 19
_ORDER = 2**252 + 27742317777372353535851937790883648493
_D = -121665 * pow(121666, _P - 2, _P) % _P
_ROOT = pow(2, (_P - 1) // 4, _P)
#: Point in extended coordinates: x = X / Z, y = Y / Z, x * y = T / Z.
_Point = Tuple[int, int, int, int]


def _add(one: _Point, other: _Point) -> _Point:
    a = (one[1] - one[0]) * (other[1] - other[0]) % _P
    b = (one[1] + one[0]) * (other[1] + other[0]) % _P
    c = 2 * one[3] * other[3] * _D % _P
    d = 2 * one[2] * other[2] % _P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % _P, g * h % _P, f * g % _P, e * h % _P


def _multiply(scalar: int, point: _Point) -> _Point:
    product: _Point = (0, 1, 1, 0)
    while scalar > 0:
        if scalar & 1:
            product = _add(product, point)
        point = _add(point, point)
        scalar >>= 1
    return product


def _is_same(one: _Point, other: _Point) -> bool:
    return all((one[at] * other[2] - other[at] * one[2]) % _P == 0 for at in (0, 1))


def _decode_point(encoded: bytes) -> _Point:
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(_D * y * y + 1, _P - 2, _P) % _P
    x = pow(square, (_P + 3) // 8, _P)
    if (x * x - square) % _P != 0:
        x = x * _ROOT % _P
    if y >= _P or (x * x - square) % _P != 0 or (x == 0 and sign == 1):
        raise ValueError("not a point of the curve")
    if x & 1 != sign:
        x = _P - x
    return x, y, 1, x * y % _P


def _is_signed(key: bytes, signature: bytes, message: bytes) -> bool:
    scalar = int.from_bytes(signature[32:], "little")
    if len(key) != 32 or len(signature) != 64 or scalar >= _ORDER:
        return False
    try:
        point, nonce = _decode_point(key), _decode_point(signature[:32])
    except ValueError:
        return False
    digest = hashlib.sha512(signature[:32] + key + message).digest()
    challenge = int.from_bytes(digest, "little") % _ORDER
    base = _decode_point((4 * pow(5, _P - 2, _P) % _P).to_bytes(32, "little"))
    return _is_same(_multiply(scalar, base), _add(nonce, _multiply(challenge, point)))
