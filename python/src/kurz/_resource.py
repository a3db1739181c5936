from __future__ import annotations

import json
from typing import Any, Dict, Iterator, Mapping, Optional, Protocol, Union

from ._http import KurzResponse, lines_of


class Caller(Protocol):
    """What resources need of the client."""

    def request(
        self,
        operation_id: str,
        *,
        params: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        if_match: Optional[Union[int, str]] = None,
    ) -> KurzResponse: ...


class Resource:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def _call(self, operation_id: str, **given: Any) -> Any:
        return self._caller.request(operation_id, **given).data

    def _bytes(self, operation_id: str, **given: Any) -> Iterator[bytes]:
        yield from self._caller.request(operation_id, **given).data

    def _lines(self, operation_id: str, **given: Any) -> Iterator[Any]:
        for line in lines_of(self._bytes(operation_id, **given)):
            yield json.loads(line)

    def _pages(self, operation_id: str, query: Mapping[str, Any], **given: Any) -> Iterator[Any]:
        cursor = query.get("cursor")
        while True:
            page = self._call(operation_id, query={**query, "cursor": cursor}, **given)
            yield from page["data"]
            cursor = page["next_cursor"]
            if cursor is None:
                return


def given(fields: Mapping[str, Any]) -> Dict[str, Any]:
    """Without what was left out."""
    return {name: value for name, value in fields.items() if value is not None}
