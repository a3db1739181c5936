"""The client of the Kurz API. See README.md for examples."""

from ._client import Kurz
from ._errors import KurzConnectionError, KurzError
from ._http import KurzResponse
from ._version import VERSION as __version__
from ._webhook import WebhookError, WebhookErrorReason, verify_webhook

__all__ = [
    "Kurz",
    "KurzConnectionError",
    "KurzError",
    "KurzResponse",
    "WebhookError",
    "WebhookErrorReason",
    "__version__",
    "verify_webhook",
]
