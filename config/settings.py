"""Django settings: everything an operator may change comes from `config.environment`."""

import os
import secrets
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

import environ
from csp.constants import NONE, SELF, UNSAFE_EVAL, UNSAFE_INLINE

from config import backends, logs
from config.addresses import request_host
from config.environment import data_dir, home_of, read, read_file, read_secret
from config.jobs import LANES

BASE_DIR = Path(__file__).resolve().parent.parent
HOME_DIR = home_of(BASE_DIR)
read_file(HOME_DIR / ".env")
ENVIRONMENT = read(os.environ)

DATA_DIR = (HOME_DIR / ENVIRONMENT["DATA_DIR"]).resolve()
with data_dir(DATA_DIR):
    # Documents and the database are in there: nobody else on this machine reads them, whatever the umask.
    DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)


def _generated(name: str) -> str:
    """Return the secret kept in DATA_DIR under `name`, making it at the first start.

    The file is linked into place complete, so that two processes that start together agree.
    """
    path = DATA_DIR / name
    with data_dir(DATA_DIR):
        if not path.exists():
            _make_secret(path)
        return read_secret(path)


def _make_secret(path: Path) -> None:
    draft = DATA_DIR / f".{path.name}.{os.getpid()}.{secrets.token_hex(4)}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_urlsafe(48))
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()


HOST: str = ENVIRONMENT["HOST"]
PORT: int = ENVIRONMENT["PORT"]
WORKERS: int = ENVIRONMENT["WORKERS"]
THREADS: int = ENVIRONMENT["THREADS"]
DATABASE_TIMEOUT: int = ENVIRONMENT["DATABASE_TIMEOUT"]
JOB_WORKERS: int | None = ENVIRONMENT["JOB_WORKERS"]
JOB_LEASE: int = ENVIRONMENT["JOB_LEASE"]
BASE_URL: str = ENVIRONMENT["BASE_URL"]
DEBUG: bool = ENVIRONMENT["DEBUG"]
SECRET_KEY: str = ENVIRONMENT["SECRET_KEY"] or _generated("secret_key")
SECRET_KEY_FALLBACKS: list[str] = ENVIRONMENT["SECRET_KEY_FALLBACKS"]
CREDENTIALS_KEYS: list[str] = ENVIRONMENT["CREDENTIALS_KEYS"] or [_generated("credentials_key")]

ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *ENVIRONMENT["ALLOWED_HOSTS"]]
if HOST not in {"", "0.0.0.0", "::"}:  # noqa: S104 (compared, not bound)
    ALLOWED_HOSTS.append(f"[{HOST}]" if ":" in HOST else HOST)
CSRF_TRUSTED_ORIGINS: list[str] = []
if BASE_URL:
    _public = urlsplit(BASE_URL)
    ALLOWED_HOSTS.append(request_host(_public.hostname or ""))
    CSRF_TRUSTED_ORIGINS.append(f"{_public.scheme}://{_public.netloc}")
TRUST_PROXY_HEADERS: bool = ENVIRONMENT["TRUST_PROXY_HEADERS"]
if TRUST_PROXY_HEADERS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
if BASE_URL.startswith("https://"):
    SESSION_COOKIE_SECURE = True
    CSRF_COOKIE_SECURE = True
    SECURE_HSTS_SECONDS = 31_536_000

METRICS_TOKEN: str = ENVIRONMENT["METRICS_TOKEN"]
METRICS_OPEN: bool = ENVIRONMENT["METRICS_OPEN"]
OTEL_EXPORTER_OTLP_ENDPOINT: str = ENVIRONMENT["OTEL_EXPORTER_OTLP_ENDPOINT"]

WEBHOOK_ALLOWED_HOSTS: list[str] = ENVIRONMENT["WEBHOOK_ALLOWED_HOSTS"]
RATE_LIMIT: str = ENVIRONMENT["RATE_LIMIT"]
PREVIEW_RATE_LIMIT: str = ENVIRONMENT["PREVIEW_RATE_LIMIT"]
INVITATION_RATE_LIMIT: str = ENVIRONMENT["INVITATION_RATE_LIMIT"]
DOWNLOAD_URL_TTL: int = ENVIRONMENT["DOWNLOAD_URL_TTL"]
MAX_BODY_BYTES: int = ENVIRONMENT["MAX_BODY_BYTES"]
MAX_UNFINISHED_ITEMS: int = ENVIRONMENT["MAX_UNFINISHED_ITEMS"]
MAX_SECTIONS: int = ENVIRONMENT["MAX_SECTIONS"]
MAX_COLUMNS: int = ENVIRONMENT["MAX_COLUMNS"]
MAX_PAGES: int = ENVIRONMENT["MAX_PAGES"]
RENDER_TIMEOUT: int = ENVIRONMENT["RENDER_TIMEOUT"]
MAX_ASSET_BYTES: int = ENVIRONMENT["MAX_ASSET_BYTES"]
MAX_IMAGE_PIXELS: int = ENVIRONMENT["MAX_IMAGE_PIXELS"]
AUDIT_LOG_DAYS: int | None = ENVIRONMENT["AUDIT_LOG_DAYS"]
DATA_UPLOAD_MAX_MEMORY_SIZE = max(MAX_BODY_BYTES, MAX_ASSET_BYTES)

INSTALLED_APPS = [
    "unfold",
    "config.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "axes",
    "csp",
    "django_htmx",
    "config.jobs",  # before django_tasks_db: one of its commands is replaced
    "django_tasks",
    "django_tasks_db",
    "config",
    "accounts",
    "accounts.webhooks",
    "templates_app",
    "assets",
    "usage",
    "rendering",
    "dashboard",
]

MIDDLEWARE = [
    "config.observation.ObservationMiddleware",
    "config.api.middleware.ApiMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.security.SecurityHeaders",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "accounts.sessions.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
APPEND_SLASH = False

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "dashboard.pages.appearance",
            ],
        },
    },
]

DATABASES = {"default": backends.database(ENVIRONMENT, DATA_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES = {
    "default": backends.cache(ENVIRONMENT, DATA_DIR),
    "derived": backends.derived_cache(DATA_DIR),
}
RATELIMIT_USE_CACHE = "default"
# Both caches count atomically across processes; the check only knows Memcached and django-redis by name.
SILENCED_SYSTEM_CHECKS = ["django_ratelimit.W001", "django_ratelimit.E003"]

TASKS = {"default": {"BACKEND": "config.jobs.backend.JobsBackend", "QUEUES": list(LANES)}}

STORAGES = {
    "default": backends.files(ENVIRONMENT, DATA_DIR),
    "staticfiles": {"BACKEND": "config.static_files.StaticFiles"},
}
STATIC_URL = "/static/"
STATIC_ROOT = DATA_DIR / "static"
WHITENOISE_USE_FINDERS = DEBUG

AUTH_USER_MODEL = "accounts.User"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
LOGIN_URL = "/login"
LOGIN_REDIRECT_URL = "/"
PASSWORD_RESET_TIMEOUT = 3600
ORGANIZATION_CREATION: str = ENVIRONMENT["ORGANIZATION_CREATION"]

SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_AGE = 14 * 24 * 3600
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "dashboard.views.errors.forged"

# After the fifth wrong password for one address from one place, no attempt from there counts for a quarter
# of an hour; the owner of the address still gets in from elsewhere. The handler also counts by place alone.
AXES_HANDLER = "accounts.login_attempts.LoginAttempts"
AXES_FAILURE_LIMIT = 5
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_USERNAME_CALLABLE = "accounts.attempts.address_of"
AXES_CLIENT_IP_CALLABLE = "accounts.attempts.place_of"
AXES_LOCKOUT_CALLABLE = "dashboard.views.people.locked_out"
AXES_RESET_ON_SUCCESS = True
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_DISABLE_ACCESS_LOG = True
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

HAS_MAIL_SERVER = bool(ENVIRONMENT["EMAIL_URL"])
for _name, _value in environ.Env.email_url_config(ENVIRONMENT["EMAIL_URL"] or "consolemail://").items():
    globals()[_name] = _value
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL: str = ENVIRONMENT["EMAIL_FROM"]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "worker-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
    }
}
# Unfold and Swagger UI come with inline scripts and styles; no page of ours does.
CSP_OF_ADMIN = {"script-src": [SELF, UNSAFE_INLINE, UNSAFE_EVAL], "style-src": [SELF, UNSAFE_INLINE]}
CSP_OF_REFERENCE = {"script-src": [SELF, UNSAFE_INLINE], "style-src": [SELF, UNSAFE_INLINE]}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.authentication.ApiKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_THROTTLE_CLASSES": ["accounts.throttling.KeyRateThrottle"],
    "DEFAULT_PARSER_CLASSES": ["config.api.json.JsonParser"],
    "DEFAULT_RENDERER_CLASSES": ["config.api.json.JsonRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "config.api.json.AlwaysJson",
    "DEFAULT_SCHEMA_CLASS": "config.api.schema.ApiSchema",
    "DEFAULT_METADATA_CLASS": None,
    "EXCEPTION_HANDLER": "config.api.failures.handle_exception",
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
}

SPECTACULAR_SETTINGS = {
    "TITLE": "Document Rendering Service",
    "VERSION": "1",
    "DESCRIPTION": (
        "Templates and JSON data to PDF and XLSX documents.\n\n"
        "**To begin:** press *Authorize* and enter a secret key as `secretKey`; the dashboard shows it "
        "once, when the organization is created or its keys are rotated. Then, with *Try it out*: `POST "
        "/v1/templates` makes a draft and answers its `id`, `POST /v1/templates/{id}/publish` makes it "
        "renderable, and `POST /v1/render` with this `id` as `templateId` answers a `downloadUrl`, which "
        "opens without a key.\n\n"
        "Servers send a secret key (`sk_live_...`) as `x-api-key` and act for the whole organization. "
        "Browsers send a public key (`pk_live_...`) with `x-user-id` and `x-user-hash` and act for one end "
        "user.\n\n"
        "Every error has the body `{message, errors?, requestId}`; every answer carries `X-Request-Id`. How "
        "many requests a key has left is in the `RateLimit-*` headers; `Retry-After` says when to try "
        "again, and an `Idempotency-Key` makes that safe for documents and batches. Top-level fields and "
        "parameters that the service does not know are ignored."
    ),
    "TAGS": [
        {"name": "render", "description": "Template and data to a document."},
        {"name": "documents", "description": "What was rendered, is being rendered, or failed."},
        {"name": "downloads", "description": "Fresh links to documents."},
        {"name": "batches", "description": "Many documents of one template at once."},
        {"name": "templates", "description": "Templates, their life and their versions."},
        {"name": "assets", "description": "Uploaded images and fonts, read-only."},
        {"name": "usage", "description": "Completed documents, counted."},
        {"name": "orgs", "description": "The organization behind the key."},
        {"name": "auth", "description": "Rotation of the credentials."},
        {"name": "webhooks", "description": "Addresses that are told what happens, and what they were told."},
        {"name": "events", "description": "The messages that webhooks get."},
    ],
    "WEBHOOKS": [
        f"accounts.webhooks.schema.{name}"
        for name in (
            "document_completed",
            "document_failed",
            "batch_completed",
            "template_published",
            "template_archived",
            "credentials_rotated",
            "webhook_test",
        )
    ],
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": [],
    "SCHEMA_PATH_PREFIX": "/v1",
    "COMPONENT_SPLIT_REQUEST": False,
    "COMPONENT_SPLIT_PATCH": False,
    "ENUM_ADD_EXPLICIT_BLANK_NULL_CHOICE": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "PREPROCESSING_HOOKS": ["config.api.schema.only_v1"],
    "POSTPROCESSING_HOOKS": ["config.api.schema.finish", "accounts.webhooks.schema.add_messages"],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    "SWAGGER_UI_SETTINGS": {
        "deepLinking": True,
        "persistAuthorization": False,
        "docExpansion": "list",
        # The hundred schemas below the operations are drawn when they are asked for.
        "defaultModelsExpandDepth": 0,
    },
}

LOGGING = logs.configuration(ENVIRONMENT["LOG_LEVEL"], ENVIRONMENT["LOG_FORMAT"])

UNFOLD = {
    "SITE_TITLE": "Document Rendering Service",
    "SITE_HEADER": "Documents",
    "SITE_SUBHEADER": "Rendering service",
    "SITE_SYMBOL": "description",
    "SITE_URL": None,
    "SHOW_VIEW_ON_SITE": False,
    "SHOW_BACK_BUTTON": True,
    "BORDER_RADIUS": "8px",
    "DASHBOARD_CALLBACK": "rendering.admin_summary.summary",
    "SITE_FAVICONS": [{"rel": "icon", "type": "image/svg+xml", "href": "accounts.navigation.icon"}],
    "STYLES": ["accounts.navigation.stylesheet"],
    "SIDEBAR": {"show_search": False, "navigation": "accounts.navigation.navigation"},
    "COLORS": {
        "primary": {
            "50": "oklch(97.0% .014 254.604)",
            "100": "oklch(93.2% .032 255.585)",
            "200": "oklch(88.2% .059 254.128)",
            "300": "oklch(80.9% .105 251.813)",
            "400": "oklch(70.7% .165 254.624)",
            "500": "oklch(62.3% .214 259.815)",
            "600": "oklch(54.6% .245 262.881)",
            "700": "oklch(48.8% .243 264.376)",
            "800": "oklch(42.4% .199 265.638)",
            "900": "oklch(37.9% .146 265.522)",
            "950": "oklch(28.2% .091 267.935)",
        },
    },
}
