from __future__ import annotations

from django.conf import settings
from django.db import models

from chat.models.turn import Turn


class Usage(models.Model):
    """One model call: what for, how much, how long."""

    turn = models.ForeignKey(Turn, on_delete=models.SET_NULL, null=True, blank=True, related_name="usage")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")
    role = models.CharField(max_length=12)
    provider = models.CharField(max_length=40)
    model = models.CharField(max_length=120, blank=True)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    tokens_cached = models.PositiveIntegerField(default=0)
    took_ms = models.PositiveIntegerField(default=0)
    price = models.DecimalField(
        max_digits=12, decimal_places=6, null=True, blank=True, help_text="In US dollars, by the price table."
    )
    error = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-at"]
        verbose_name_plural = "usage"

    def __str__(self) -> str:
        return f"{self.role} {self.model} {self.tokens_in}+{self.tokens_out}"
