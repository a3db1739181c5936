from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from typing import Any, Dict, Iterator, Mapping, NamedTuple, Optional, cast

from ._errors import KurzConnectionError, KurzError, read_error
from ._operations import Operation
from ._request import BuiltRequest

PIECE_BYTES = 64 * 1024


class KurzResponse(NamedTuple):
    """A response with its status and headers. The names of headers are in any case."""

    data: Any
    status: int
    headers: Mapping[str, str]
    request_id: Optional[str]


class AnyStatus(urllib.request.HTTPErrorProcessor):
    """Every response is returned as it is. The API never redirects; following one could send the token elsewhere."""

    def http_response(self, request: urllib.request.Request, response: Any) -> Any:
        return response

    https_response = http_response


class HeaderMap(Mapping[str, str]):
    def __init__(self, headers: Mapping[str, str]) -> None:
        self._values: Dict[str, str] = {name.lower(): value for name, value in headers.items()}

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return repr(self._values)


def send_request(request: BuiltRequest, operation: Operation, timeout: float) -> KurzResponse:
    """One attempt. Nothing of it waits longer than the timeout, and no body that has passed it is read on.

    `urllib` has no limit for a whole response: headers that arrive byte by byte don't time out.
    """
    end = time.monotonic() + timeout
    opener = urllib.request.build_opener(AnyStatus)
    sent = urllib.request.Request(request.url, request.body, dict(request.headers), method=request.method)
    try:
        response = cast("http.client.HTTPResponse", opener.open(sent, timeout=timeout))
    except (OSError, http.client.HTTPException) as error:
        raise connection_error(error, timeout) from error
    status, headers = response.status, HeaderMap(dict(response.headers.items()))
    is_ok = 200 <= status < 300
    request_id = headers.get("X-Request-Id")
    if is_ok and operation.answer == "stream":
        return KurzResponse(pieces_of(response, timeout), status, headers, request_id)
    body = b"".join(pieces_of(response, timeout, end))
    if not is_ok:
        raise read_error(status, headers, find_json(body))
    if operation.answer == "none":
        return KurzResponse(None, status, headers, request_id)
    if operation.answer == "bytes":
        return KurzResponse(body, status, headers, request_id)
    media_type = (headers.get("Content-Type") or "").split(";", 1)[0].strip().lower()
    data = body.decode() if media_type in operation.text_types else find_json(body)
    if data is None:
        raise read_error(status, headers, None)
    return KurzResponse(data, status, headers, request_id)


def find_deleted(request: BuiltRequest, error: Exception) -> Optional[KurzResponse]:
    """A deletion that finds nothing, after an attempt whose response was lost: what it should delete is gone."""
    if request.method == "DELETE" and isinstance(error, KurzError) and error.code == "not_found":
        return KurzResponse(None, error.status, error.headers, error.request_id)
    return None


def pieces_of(
    response: http.client.HTTPResponse, timeout: float, end: Optional[float] = None
) -> Iterator[bytes]:
    """The body as it arrives. Whoever stops reading closes the connection."""
    with response:
        while True:
            try:
                piece = response.read1(PIECE_BYTES)
            except (OSError, http.client.HTTPException) as error:
                raise connection_error(error, timeout) from error
            if not piece:
                # `read1` doesn't notice that a body of known length ended too early.
                if response.length:
                    raise KurzConnectionError("network", "the response was cut off")
                return
            yield piece
            if end is not None and time.monotonic() > end:
                raise KurzConnectionError("timeout", f"no response within {timeout:g} seconds")


def lines_of(pieces: Iterator[bytes]) -> Iterator[str]:
    """The lines of a text that arrives in pieces, without their ends."""
    rest = b""
    for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line.decode()
    if rest:
        yield rest.decode()


def connection_error(error: Exception, timeout: float) -> KurzConnectionError:
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError) or "timed out" in str(cause):
        return KurzConnectionError("timeout", f"no response within {timeout:g} seconds")
    return KurzConnectionError("network", f"the service couldn't be reached: {cause}")


def find_json(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        return None
