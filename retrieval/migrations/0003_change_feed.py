from django.db import migrations, models
from django.contrib.postgres.indexes import GinIndex
import django.db.models.deletion
import pgvector.django

TRIGGERS = """
CREATE FUNCTION retrieval_chunks_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO retrieval_label (collection_id, key, metadata)
        SELECT DISTINCT ON (file.collection_id, md5(row.metadata::text))
            file.collection_id, md5(row.metadata::text)::uuid, row.metadata
        FROM changed_rows row JOIN corpus_sourcefile file ON file.id = row.source_file_id
        ORDER BY file.collection_id, md5(row.metadata::text)
        ON CONFLICT DO NOTHING;
    END IF;
    INSERT INTO retrieval_chunkchange (collection_id, source_file_id, transaction, at)
    SELECT file.collection_id, row.source_file_id, pg_current_xact_id()::text::bigint, clock_timestamp()
    FROM (SELECT DISTINCT source_file_id FROM changed_rows) row LEFT JOIN corpus_sourcefile file ON file.id = row.source_file_id;
    RETURN NULL;
END $$;

CREATE FUNCTION retrieval_file_moved() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO retrieval_chunkchange (collection_id, source_file_id, transaction, at)
    SELECT DISTINCT place, NEW.id, pg_current_xact_id()::text::bigint, clock_timestamp()
    FROM unnest(ARRAY[OLD.collection_id, NEW.collection_id]) AS place;
    INSERT INTO retrieval_label (collection_id, key, metadata)
    SELECT DISTINCT ON (md5(chunk.metadata::text)) NEW.collection_id, md5(chunk.metadata::text)::uuid, chunk.metadata
    FROM corpus_chunk chunk WHERE chunk.source_file_id = NEW.id
    ORDER BY md5(chunk.metadata::text)
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END $$;

CREATE TRIGGER retrieval_chunks_added AFTER INSERT ON corpus_chunk
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION retrieval_chunks_changed();
CREATE TRIGGER retrieval_chunks_updated AFTER UPDATE ON corpus_chunk
    REFERENCING NEW TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION retrieval_chunks_changed();
CREATE TRIGGER retrieval_chunks_deleted AFTER DELETE ON corpus_chunk
    REFERENCING OLD TABLE AS changed_rows FOR EACH STATEMENT EXECUTE FUNCTION retrieval_chunks_changed();
CREATE TRIGGER retrieval_file_moved AFTER UPDATE OF collection_id, state ON corpus_sourcefile
    FOR EACH ROW WHEN (OLD.collection_id <> NEW.collection_id OR (OLD.state = 'removed') <> (NEW.state = 'removed'))
    EXECUTE FUNCTION retrieval_file_moved();

CREATE INDEX retrieval_chunk_label ON corpus_chunk ((md5(metadata::text)::uuid));

INSERT INTO retrieval_label (collection_id, key, metadata)
SELECT DISTINCT ON (file.collection_id, md5(chunk.metadata::text))
    file.collection_id, md5(chunk.metadata::text)::uuid, chunk.metadata
FROM corpus_chunk chunk JOIN corpus_sourcefile file ON file.id = chunk.source_file_id
ORDER BY file.collection_id, md5(chunk.metadata::text);
"""

UNDO = """
DROP INDEX retrieval_chunk_label;
DROP TRIGGER retrieval_file_moved ON corpus_sourcefile;
DROP TRIGGER retrieval_chunks_deleted ON corpus_chunk;
DROP TRIGGER retrieval_chunks_updated ON corpus_chunk;
DROP TRIGGER retrieval_chunks_added ON corpus_chunk;
DROP FUNCTION retrieval_file_moved();
DROP FUNCTION retrieval_chunks_changed();
"""


class Migration(migrations.Migration):
    """Vectors in half precision; each metadata once; triggers that note every change of chunks."""

    dependencies = [("corpus", "0001_initial"), ("retrieval", "0002_stores")]

    operations = [
        migrations.AlterField("embedding", "vector", pgvector.django.HalfVectorField()),
        migrations.CreateModel(
            name="ChunkChange",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("collection_id", models.BigIntegerField(help_text="Empty: the file is gone too.", null=True)),
                ("source_file_id", models.BigIntegerField()),
                ("transaction", models.BigIntegerField(help_text="The id of the transaction that changed them.")),
                ("at", models.DateTimeField(db_index=True)),
            ],
            options={"indexes": [models.Index(fields=["transaction"], name="chunk_change_transaction")]},
        ),
        migrations.CreateModel(
            name="Label",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.UUIDField(help_text="MD5 of the metadata as PostgreSQL writes it.")),
                ("metadata", models.JSONField()),
                ("facets", models.JSONField(help_text="The values as filters compare them; empty until a filter needs them.", null=True)),
                ("collection", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="labels", to="corpus.collection")),
            ],
            options={
                "indexes": [
                    GinIndex(fields=["facets"], name="label_facets_gin", opclasses=["jsonb_path_ops"]),
                    models.Index(condition=models.Q(("facets__isnull", True)), fields=["collection"], name="label_without_facets"),
                ],
                "constraints": [models.UniqueConstraint(fields=("collection", "key"), name="label_once_per_collection")],
            },
        ),
        migrations.RunSQL(TRIGGERS, UNDO),
    ]
