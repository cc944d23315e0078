from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection

import pytest
from django.db import connection


def tell_backend(out: Connection) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        out.send(cursor.fetchone()[0])
    connection.close()


@pytest.mark.django_db(transaction=True)
def test_a_fork_has_a_database_session_of_its_own_and_leaves_the_parents_alone() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        mine = cursor.fetchone()[0]
    there, here = multiprocessing.Pipe()
    child = multiprocessing.get_context("fork").Process(target=tell_backend, args=(there,))

    child.start()
    assert here.poll(20)
    theirs = here.recv()
    child.join()

    assert theirs != mine
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        assert cursor.fetchone()[0] == mine
