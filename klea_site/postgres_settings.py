"""The settings that the embedded PostgreSQL runs with, by the size of the machine."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import psutil

_MB = 1024 * 1024
_SHARED_MEMORY_FOLDER = Path("/dev/shm")  # noqa: S108 -- read only
_LARGE_MACHINE_MB = 8_000


def settings_text(socket_folder: Path, *, durable: bool) -> str:
    """Return the text of klea.conf.

    Args:
        socket_folder: where the server's socket lies.
        durable: False switches off the writes that survive a crash of the machine.
    """
    memory_mb = psutil.virtual_memory().total // _MB
    maintenance_mb = 512 if memory_mb >= _LARGE_MACHINE_MB else 128
    values = {
        "listen_addresses": "''",
        "unix_socket_directories": f"'{socket_folder}'",
        "unix_socket_permissions": "0700",
        "max_connections": "100",
        "shared_buffers": f"{min(256, max(32, memory_mb // 8))}MB",
        "effective_cache_size": f"{max(128, memory_mb // 2)}MB",
        "work_mem": "16MB",
        "maintenance_work_mem": f"{maintenance_mb}MB",  # an HNSW graph that does not fit is built far slower
        "max_parallel_maintenance_workers": "2",
        "max_wal_size": "2GB",
        "wal_compression": "on",
        "jit": "off",  # costs more than it saves on short queries
        "dynamic_shared_memory_type": _shared_memory(maintenance_mb),
        "logging_collector": "on",
        "log_filename": "'postgresql-%a.log'",  # a week of logs, each overwritten after seven days
        "log_rotation_age": "1d",
        "log_truncate_on_rotation": "on",
        "log_line_prefix": "'%m [%p] '",
    }
    if not durable:
        values |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}
    return "".join(f"{name} = {value}\n" for name, value in values.items())


def _shared_memory(maintenance_mb: int) -> str:
    """Parallel index builds share memory through /dev/shm, of which a container often has 64 MB only."""
    if not sys.platform.startswith("linux"):
        return "posix"
    roomy = _SHARED_MEMORY_FOLDER.is_dir() and shutil.disk_usage(_SHARED_MEMORY_FOLDER).free // _MB >= 2 * maintenance_mb
    return "posix" if roomy else "mmap"
