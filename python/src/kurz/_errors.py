from __future__ import annotations

import email.utils
import time
from typing import Any, Literal, Mapping, Optional, Tuple, Type, cast


class KurzError(Exception):
    """The service returned an error. Handle errors by their `code`; the wording of `message` may change."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        headers: Mapping[str, str],
        request_id: Optional[str],
        details: Any,
        retry_after_seconds: Optional[int],
    ) -> None:
        super().__init__(message)
        self.message = message
        # One of `ErrorCode`, "unexpected_answer" if the response isn't from the service but, for example,
        # from a proxy, or one that a newer version of the service has.
        self.code = code
        self.status = status
        self.headers = headers
        # Include it when you contact the operator.
        self.request_id = request_id
        self.details = details
        self.retry_after_seconds = retry_after_seconds

    def __reduce__(self) -> Tuple[Any, ...]:
        # By default, unpickling calls the class with the message alone.
        return restored, (type(self), self.message), self.__dict__

    def __str__(self) -> str:
        request = f", request {self.request_id}" if self.request_id else ""
        return f"{self.message} ({self.code}, status {self.status}{request})"


def restored(kind: Type[KurzError], message: str) -> KurzError:
    return kind.__new__(kind, message)


class KurzConnectionError(Exception):
    """The service couldn't be reached, or didn't respond in time."""

    def __init__(self, reason: Literal["network", "timeout"], message: str) -> None:
        super().__init__(message)
        self.reason = reason

    def __reduce__(self) -> Tuple[Any, ...]:
        return type(self), (self.reason, str(self)), self.__dict__


def read_retry_after(headers: Mapping[str, str]) -> Optional[int]:
    """Seconds from `Retry-After`, which may also be a date (RFC 9110, section 10.2.3)."""
    value = headers.get("Retry-After")
    if value is None:
        return None
    if value.isascii() and value.isdigit():
        return int(value)
    try:
        at = email.utils.parsedate_to_datetime(value).timestamp()
    except (TypeError, ValueError, OverflowError):
        return None
    return max(0, -int(-(at - time.time()) // 1))


def read_error(status: int, headers: Mapping[str, str], body: Any) -> KurzError:
    """An error response; anything but the service's envelope becomes `unexpected_answer`."""
    envelope: Any = cast("Any", body).get("error") if isinstance(body, dict) else None
    error: Mapping[str, Any] = cast("Mapping[str, Any]", envelope) if isinstance(envelope, dict) else {}
    code, message = error.get("code"), error.get("message")
    is_envelope = isinstance(code, str) and isinstance(message, str)
    return KurzError(
        message if isinstance(message, str) and is_envelope else f"unexpected answer with status {status}",
        code=code if isinstance(code, str) and is_envelope else "unexpected_answer",
        status=status,
        headers=headers,
        request_id=headers.get("X-Request-Id") or error.get("request_id"),
        details=error.get("details") if is_envelope else None,
        retry_after_seconds=read_retry_after(headers),
    )
