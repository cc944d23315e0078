"""Conversations in the admin: to be read; keys, models, tool servers and usage."""

from __future__ import annotations

from chat.admin import api_key, conversation, model_assignment, tool_server, usage

__all__ = ["api_key", "conversation", "model_assignment", "tool_server", "usage"]
