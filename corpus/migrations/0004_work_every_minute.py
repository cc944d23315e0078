from django.db import migrations
from django.utils import timezone

NAME = "Klea: take up waiting files"


def schedule(apps, schema_editor):
    schedules = apps.get_model("django_q", "Schedule").objects
    schedules.update_or_create(
        name=NAME,
        defaults={"func": "corpus.tasks.work", "schedule_type": "I", "minutes": 1, "repeats": -1, "next_run": timezone.now()},
    )


def unschedule(apps, schema_editor):
    apps.get_model("django_q", "Schedule").objects.filter(name=NAME).delete()


class Migration(migrations.Migration):
    """A worker looks once a minute for files that a killed process left behind."""

    dependencies = [
        ("corpus", "0003_file_ocr_choice_and_sealed_password"),
        ("django_q", "0018_task_success_index"),
    ]
    operations = [migrations.RunPython(schedule, unschedule)]
