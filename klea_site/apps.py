from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class KleaSiteConfig(AppConfig):
    """The site itself: its commands, checks and sign-in links."""

    name = "klea_site"
    default_auto_field = "django.db.models.BigAutoField"
    verbose_name = "Site"

    def ready(self) -> None:
        """Register the system checks, and make forks safe."""
        from klea_site import checks, doctor  # noqa: F401
        from klea_site.forking import open_anew_after_fork

        open_anew_after_fork()


class KleaAdminConfig(AdminConfig):
    """Django's admin with Klea's front page."""

    default_site = "klea_site.admin.KleaAdminSite"
