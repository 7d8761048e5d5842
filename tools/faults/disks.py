"""Disks that can be full: small file systems in memory. Mounting them needs the system administrator's rights."""

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

SIZE = "4g"
"""At most; only what is written takes memory."""
MAX_SLACK = 2**20


@dataclass(frozen=True)
class Disk:
    path: Path

    def fill(self) -> None:
        """Make the disk as small as what it holds, so that no other byte fits on it. Nothing is written."""
        for slack in range(0, MAX_SLACK, MAX_SLACK // 16):
            size = max(shutil.disk_usage(self.path).used, os.sysconf("SC_PAGE_SIZE")) + slack
            with suppress(subprocess.CalledProcessError):  # more was written meanwhile
                _run("mount", "-o", f"remount,size={size}", str(self.path))
                return
        raise OSError(f"{self.path} could not be filled")

    def free(self) -> None:
        _run("mount", "-o", f"remount,size={SIZE}", str(self.path))


@contextmanager
def mounted(paths: Sequence[Path]) -> Iterator[bool]:
    """Mount a disk at each path. Yields whether it was possible: without the right to, there are only plain folders."""
    done: list[Path] = []
    for path in paths:
        path.mkdir(parents=True, exist_ok=True)
    try:
        for path in paths:
            _run("mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(path))
            done.append(path)
    except (OSError, subprocess.CalledProcessError):
        yield False
    else:
        yield True
    finally:
        for path in done:
            _run("umount", "--lazy", str(path))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
