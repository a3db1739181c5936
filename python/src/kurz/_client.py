from __future__ import annotations

import platform
import random
import time
import urllib.parse
from typing import Any, Callable, Mapping, Optional, Union

from ._http import KurzResponse, find_deleted, send_request
from ._operations import OPERATIONS
from ._request import build_request
from ._resources import Resources
from ._retry import find_delay, is_ambiguous
from ._version import VERSION


class Kurz(Resources):
    """A client for one deployment and token. It keeps no state, so threads can share one.

    `timeout` is how many seconds one attempt waits for the service, `retries_max` how often a call that is safe to
    repeat is tried again.
    """

    def __init__(
        self,
        base_url: str,
        token: str,
        *,
        timeout: float = 30.0,
        retries_max: int = 2,
        user_agent: Optional[str] = None,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = random.random,
    ) -> None:
        super().__init__(self)
        self._base_url = checked_url(base_url)
        self._token = checked_token(token)
        if not timeout > 0:
            raise ValueError(f"timeout must be a number of seconds above 0, not {timeout!r}")
        if retries_max < 0:
            raise ValueError(f"retries_max must be 0 or more, not {retries_max!r}")
        self._timeout = timeout
        self._retries_max = retries_max
        self._user_agent = user_agent or f"kurz-python/{VERSION} Python/{platform.python_version()}"
        self._sleep = sleep
        self._random = random

    def __repr__(self) -> str:
        return f"Kurz({self._base_url!r})"

    def request(
        self,
        operation_id: str,
        *,
        params: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        idempotency_key: Optional[str] = None,
        if_match: Optional[Union[int, str]] = None,
    ) -> KurzResponse:
        """Calls an operation by its id, and returns the response's status and headers along with its body."""
        operation = OPERATIONS.get(operation_id)
        if operation is None:
            raise ValueError(f"there is no operation {operation_id!r}")
        headers = {"Authorization": f"Bearer {self._token}", "User-Agent": self._user_agent}
        request = build_request(
            operation,
            base_url=self._base_url,
            headers=headers,
            params=params or {},
            query=query or {},
            body=body,
            idempotency_key=idempotency_key,
            if_match=if_match,
        )
        retries = 0
        may_be_done = False
        while True:
            try:
                return send_request(request, operation, self._timeout)
            except Exception as error:
                deleted = find_deleted(request, error) if may_be_done else None
                if deleted is not None:
                    return deleted
                delay = None
                if retries < self._retries_max:
                    is_repeatable = request.is_repeatable
                    delay = find_delay(error, is_repeatable=is_repeatable, retries=retries, random=self._random)
                if delay is None:
                    raise
                may_be_done = may_be_done or is_ambiguous(error)
            self._sleep(delay)
            retries += 1


def checked_url(base_url: str) -> str:
    parts = urllib.parse.urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise ValueError(f"base_url must be the URL of your deployment, such as https://s.example, not {base_url!r}")
    return base_url.rstrip("/")


def checked_token(token: str) -> str:
    # Not shown: it may be a token with a line break at its end.
    if not token or not token.isascii() or any(character.isspace() for character in token):
        raise ValueError("token must be an API token, without spaces or line breaks")
    return token
