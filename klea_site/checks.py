"""System checks: what must be right before Klea serves."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register


@register()
def queue_retries_after_the_time_limit(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Refuse a queue that would start a running task a second time."""
    cluster: dict[str, Any] = settings.Q_CLUSTER
    timeout, retry = cluster.get("timeout"), cluster.get("retry", 0)
    if timeout is None or retry > timeout:
        return []
    return [
        Error(
            f"Q_CLUSTER: retry ({retry} s) must be above timeout ({timeout} s), or a task that still runs is started again.",
            hint="Raise retry in klea_site/settings.py or lower KLEA_TASK_TIMEOUT.",
            id="klea.E001",
        )
    ]


@register()
def provider_is_known(app_configs: Any, **kwargs: Any) -> list[CheckMessage]:
    """Refuse a provider that the settings don't describe."""
    if settings.PROVIDER in settings.PROVIDERS:
        return []
    known = ", ".join(sorted(settings.PROVIDERS))
    return [Error(f"KLEA_PROVIDER={settings.PROVIDER} is no provider.", hint=f"Choose among: {known}.", id="klea.E011")]
