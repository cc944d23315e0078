"""Two domains that know nothing of each other, and people in them."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.contrib.auth.models import User

from corpus.models import Collection, Domain, Membership, Role


@dataclass(frozen=True)
class TwoTeams:
    """Ada reads physics, Ben curates physics, Cleo reads botany, Mia manages physics; nobody is in both."""

    physics: Domain
    botany: Domain
    papers: Collection
    herbarium: Collection
    ada: User
    ben: User
    cleo: User
    mia: User


@pytest.fixture
def two_teams(db: None) -> TwoTeams:
    """Make two domains with a collection each and four people."""
    physics = Domain.objects.create(name="Physics", slug="physics", description="Questions on physics.")
    botany = Domain.objects.create(name="Botany", slug="botany", description="Questions on plants.")
    papers = Collection.objects.create(domain=physics, name="Papers", slug="papers")
    herbarium = Collection.objects.create(domain=botany, name="Herbarium", slug="herbarium")
    people = {name: User.objects.create_user(name, password="a long secret") for name in ("ada", "ben", "cleo", "mia")}
    for name, domain, role in [
        ("ada", physics, Role.READER),
        ("ben", physics, Role.CURATOR),
        ("cleo", botany, Role.READER),
        ("mia", physics, Role.MANAGER),
    ]:
        Membership.objects.create(domain=domain, user=people[name], role=role)
    return TwoTeams(physics, botany, papers, herbarium, **people)
