from __future__ import annotations

from typing import Callable, Optional

from ._errors import KurzConnectionError, KurzError

RETRY_AFTER_SECONDS_MAX = 60
BACKOFF_SECONDS_BASE = 0.5
BACKOFF_SECONDS_MAX = 8.0


def is_retryable(error: Exception, is_repeatable: bool) -> bool:
    if isinstance(error, KurzConnectionError):
        return is_repeatable
    if not isinstance(error, KurzError):
        return False
    # The service rejected the request before doing anything.
    if error.status == 429:
        return True
    if error.status == 409:
        return error.code == "idempotency_in_progress"
    # A 503 may also come from a service that stopped halfway.
    return error.status in (500, 502, 503, 504) and is_repeatable


def is_ambiguous(error: Exception) -> bool:
    """Whether an attempt that failed like this may have done its work."""
    return not isinstance(error, KurzError) or error.status >= 500


def find_delay(
    error: Exception, *, is_repeatable: bool, retries: int, random: Callable[[], float]
) -> Optional[float]:
    """How many seconds to wait before the next attempt; None if there should be none."""
    if not is_retryable(error, is_repeatable):
        return None
    asked = error.retry_after_seconds if isinstance(error, KurzError) else None
    # Retrying earlier would fail again, so longer waits are left to the caller.
    if asked is not None:
        return float(asked) if asked <= RETRY_AFTER_SECONDS_MAX else None
    return min(BACKOFF_SECONDS_MAX, BACKOFF_SECONDS_BASE * 2**retries) * (0.5 + random() / 2)
