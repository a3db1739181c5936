from __future__ import annotations

import json
import re
import urllib.parse
import uuid
from typing import Any, Dict, Iterable, Mapping, NamedTuple, Optional, Union, cast

from ._operations import Operation


class BuiltRequest(NamedTuple):
    """Built once, so that every retry is identical, including its `Idempotency-Key`."""

    url: str
    method: str
    headers: Dict[str, str]
    body: Optional[bytes]
    is_repeatable: bool


def build_request(
    operation: Operation,
    *,
    base_url: str,
    headers: Mapping[str, str],
    params: Mapping[str, str],
    query: Mapping[str, Any],
    body: Optional[Mapping[str, Any]],
    idempotency_key: Optional[str],
    if_match: Optional[Union[int, str]],
) -> BuiltRequest:
    own = dict(headers)
    content = None if operation.media_type is None or body is None else json.dumps(body).encode()
    if content is not None and operation.media_type is not None:
        own["Content-Type"] = operation.media_type
    if operation.idempotency_key:
        own["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
    version = f'"{if_match}"' if isinstance(if_match, int) else if_match
    if operation.if_match and version is not None:
        own["If-Match"] = version
    return BuiltRequest(
        url=base_url + fill_path(operation.path, params) + build_query(query),
        method=operation.method,
        headers=own,
        body=content,
        is_repeatable=operation.repeatable and (operation.method != "PATCH" or is_guarded(version)),
    )


def is_guarded(version: Optional[str]) -> bool:
    """A repeated patch would undo changes made after the first one, unless it names the version to change."""
    return version is not None and version != "*"


def fill_path(path: str, params: Mapping[str, str]) -> str:
    def fill(match: "re.Match[str]") -> str:
        name = match.group(1)
        value = params.get(name)
        # URL parsers resolve dot segments even if percent-encoded, so the call would reach another operation.
        if not isinstance(value, str) or value in ("", ".", ".."):
            raise ValueError(f"{value!r} is not a valid {name}")
        return urllib.parse.quote(value, safe="")

    return re.sub(r"\{(\w+)\}", fill, path)


def build_query(query: Mapping[str, Any]) -> str:
    pairs = [
        (name, query_text(item))
        for name, value in query.items()
        for item in items_of(value)
        if item is not None
    ]
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""


def items_of(value: Any) -> Iterable[Any]:
    """A list repeats the parameter."""
    return cast("Iterable[Any]", value) if isinstance(value, (list, tuple)) else [value]


def query_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
