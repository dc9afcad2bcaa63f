"""A private ext4 in a file, whose power can be cut.

It is mounted where no other process sees it. Otherwise a mount namespace created meanwhile (by a
container, `unshare`, or a systemd service) would have a copy of the mount. Unmounting it here would
leave the dead file system alive there, and mounting the device again would return that one.

A cut leaves what had been written to the image at that moment. An ext4 that is shut down still has
changes in memory that its journal never had, and unmounting it writes some of them: a state that no
power cut leaves.
"""

import ctypes
import fcntl
import functools
import os
import shutil
import struct
import subprocess

# _IOR('X', 125, __u32); ext4, XFS and F2FS know it.
FS_IOC_SHUTDOWN = 0x8004587D
# The fate of the file system's own journal: flushed together with all data; flushed alone; not
# flushed.
GOINGDOWN = {"default": 0, "log": 1, "nothing": 2}

CLONE_NEWNS = 0x20000
MS_REC, MS_PRIVATE = 0x4000, 0x40000

libc = ctypes.CDLL(None, use_errno=True)


class NotPossible(Exception):
    """Such a file system is impossible here; the message gives the reason."""


@functools.cache
def be_alone():
    """Separates the mounts of this process and its children from those of others."""
    if libc.unshare(CLONE_NEWNS) != 0 or libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) != 0:
        raise NotPossible(f"cannot create a mount namespace: {os.strerror(ctypes.get_errno())}")


class FileSystem:
    """Mounted at `path`, from an image in `folder`, with mount options such as `data=writeback`;
    from a copy of an image if one is given.

    With `rubbish`, the disk is full of garbage before the file system is created, like a used disk.
    """

    def __init__(self, folder, options="", image=None, size="96M", rubbish=None):
        self.path = os.path.join(folder, "disk")
        self.image = os.path.join(folder, "disk.img")
        self.before = os.path.join(folder, "before.img")
        self.options = options
        self.device = None
        self.is_cut = False
        if os.geteuid() != 0:
            raise NotPossible("mounting a file system takes root: run it as root, or in a virtual machine")
        missing = [program for program in ("mkfs.ext4", "losetup") if not shutil.which(program)]
        if missing:
            raise NotPossible(f"no {' and no '.join(missing)} on PATH; Debian: apt-get install e2fsprogs mount")
        be_alone()
        os.mkdir(self.path)
        if image:
            self._copy(image, self.image)
        else:
            self._run("truncate", "-s", size, self.image)
            if rubbish:
                self._fill(rubbish)
            self._run("mkfs.ext4", "-q", "-F", "-J", "size=4", "-E", "lazy_itable_init=0,nodiscard", self.image)
        self._attach()
        try:
            self.mount()
        except OSError as error:
            os.close(self.held)
            raise NotPossible(f"{self.device} cannot be mounted: {error}") from error

    def _attach(self):
        self.device = self._run("losetup", "--find", "--show", self.image).strip()
        # The kernel frees the device when its last user closes it, however this process ends.
        self.held = os.open(self.device, os.O_RDONLY)
        self._run("losetup", "--detach", self.device)

    def _run(self, *command):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise NotPossible(f"{' '.join(command)} failed: {done.stderr.strip()}")
        return done.stdout

    def mount(self):
        if libc.mount(self.device.encode(), self.path.encode(), b"ext4", 0, self.options.encode()) != 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def cut(self, how):
        """From now on nothing reaches the disk, and every write fails."""
        descriptor = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.ioctl(descriptor, FS_IOC_SHUTDOWN, struct.pack("I", GOINGDOWN[how]))
        finally:
            os.close(descriptor)
        while True:
            before = self._written()
            self._copy(self.image, self.before)
            # Data that was on its way to the disk has arrived, or was never sent.
            if before == self._written() and before[1] == 0:
                break
        self.is_cut = True

    def _written(self):
        """The number of writes that the device has completed, and the number of requests in flight."""
        with open(f"/sys/block/{os.path.basename(self.device)}/stat", encoding="ascii") as file:
            words = file.read().split()
        return int(words[4]), int(words[8])

    def unmount(self):
        if libc.umount2(self.path.encode(), 0) != 0:
            raise OSError(ctypes.get_errno(), f"{self.path} cannot be unmounted: {os.strerror(ctypes.get_errno())}")

    def recover(self):
        """Powers the machine up again: mounts what the cut left, which replays the journal of the
        file system. Without a cut, it mounts the current state."""
        self.unmount()
        if os.path.exists(f"/sys/fs/ext4/{os.path.basename(self.device)}"):
            raise OSError(f"{self.device} is unmounted and still in use: another mount namespace has it, so its power does not come back")
        # A separate device: the cache of this one belongs to another disk now.
        os.close(self.held)
        if not self.is_cut:
            self._copy(self.image, self.before)
        self.is_cut = False
        os.unlink(self.image)
        self._copy(self.before, self.image)
        self._attach()
        self.mount()

    def _fill(self, rubbish):
        with open(self.image, "r+b") as image:
            size = os.fstat(image.fileno()).st_size
            while image.tell() < size:
                image.write(rubbish[:size - image.tell()])

    def _copy(self, image, to):
        self._run("cp", "--sparse=always", image, to)

    def keep(self, folder):
        """Saves the disk as it was at the last power cut."""
        if os.path.exists(self.before):
            self._copy(self.before, os.path.join(folder, "before.img"))

    def close(self):
        libc.umount2(self.path.encode(), 0)
        os.close(self.held)
