"""How long ago something was, in words that head a list."""

from __future__ import annotations

from datetime import date

WEEK, MONTH = 7, 30


def age_in_words(day: date, today: date) -> str:
    """Return the heading that a day belongs under.

    >>> age_in_words(date(2026, 5, 1), date(2026, 5, 2))
    'Yesterday'
    """
    days = (today - day).days
    if days <= 0:
        return "Today"
    if days == 1:
        return "Yesterday"
    if days < WEEK:
        return "Last 7 days"
    return "Last 30 days" if days < MONTH else "Older"
