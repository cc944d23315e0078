from __future__ import annotations

from typing import ClassVar

from django.db import models

from corpus.models import Domain
from corpus.models.visibility import VisibleQuerySet


class ToolServerQuerySet(VisibleQuerySet):
    """Tool servers of domains that a user may see."""

    domain_path = "domain__"


class ToolServer(models.Model):
    """An MCP server whose tools a domain's questions may use."""

    class Transport(models.TextChoices):
        """How it is reached."""

        STDIO = "stdio", "a program on this machine"
        HTTP = "http", "streamable HTTP"

    domain = models.ForeignKey(Domain, on_delete=models.CASCADE, related_name="tool_servers")
    name = models.SlugField(max_length=60)
    transport = models.CharField(max_length=10, choices=Transport.choices)
    address = models.CharField(max_length=500, help_text="An http(s) address, or the program with its arguments.")
    include = models.JSONField(default=list, blank=True, help_text="Names of tools to offer; empty: all.")
    exclude = models.JSONField(default=list, blank=True, help_text="Names of tools to leave out.")
    read_only = models.BooleanField(default=True, help_text="Offer only tools that change nothing.")
    timeout_s = models.PositiveIntegerField(default=30)
    enabled = models.BooleanField(default=False)

    objects: ClassVar[ToolServerQuerySet] = ToolServerQuerySet.as_manager()  # type: ignore[assignment]

    class Meta:
        ordering = ["domain", "name"]
        constraints = [models.UniqueConstraint(fields=["domain", "name"], name="tool_server_name_once_per_domain")]

    def __str__(self) -> str:
        return f"{self.domain} / {self.name}"
