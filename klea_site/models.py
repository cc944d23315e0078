from __future__ import annotations

from django.db import models


class UsedSignInLink(models.Model):
    """A one-time sign-in link that was used; kept until it would have expired anyway."""

    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the link's token.")
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.digest[:12]


class FailedSignIn(models.Model):
    """A sign-in that failed: by whom it came and when. Counted to slow down guessing, then deleted."""

    key = models.CharField(max_length=200, help_text="`address:` or `name:` with what was tried.")
    failed_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["key", "failed_at"], name="failed_sign_in_by_key")]

    def __str__(self) -> str:
        return f"{self.key}, {self.failed_at:%Y-%m-%d %H:%M}"
