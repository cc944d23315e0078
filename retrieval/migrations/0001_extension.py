from django.db import migrations
from pgvector.django import VectorExtension


class Migration(migrations.Migration):
    """pgvector: vectors as a column type."""

    initial = True
    dependencies = []
    operations = [VectorExtension()]
