from django.db import migrations


class Migration(migrations.Migration):
    """A number that is written as text is a number too: facets are made anew when a filter next needs them."""

    dependencies = [("retrieval", "0003_change_feed")]
    operations = [
        migrations.RunSQL("UPDATE retrieval_label SET facets = NULL;", migrations.RunSQL.noop),
    ]
