"""Rows of conversations."""

from __future__ import annotations

from chat.models.api_key import ApiKey
from chat.models.citation import Citation
from chat.models.model_assignment import ModelAssignment
from chat.models.session import Session
from chat.models.tool_server import ToolServer
from chat.models.turn import Turn
from chat.models.turn_event import TurnEvent
from chat.models.usage import Usage

__all__ = ["ApiKey", "Citation", "ModelAssignment", "Session", "ToolServer", "Turn", "TurnEvent", "Usage"]
