"""An ext4 of one's own in a file, whose power can be cut.

It is mounted where no other process sees it. Whoever made a mount namespace meanwhile (a container, `unshare`, a service of systemd) would
have a copy of the mount; unmounting it here would leave the file system alive there, shut down as it is, and mounting it again would bring
that one back: one that has lost its power for good.

What a cut leaves is what had been written to the image at that moment. An ext4 that is shut down still has changes in memory that its log
never had, and writes some of them when it is unmounted; a machine without power does not, and mounts what no power cut leaves.
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
# What becomes of the file system's own log: it is written out, and all else with it; it is written out; nothing is.
GOINGDOWN = {"default": 0, "log": 1, "nothing": 2}

CLONE_NEWNS = 0x20000
MS_REC, MS_PRIVATE = 0x4000, 0x40000

libc = ctypes.CDLL(None, use_errno=True)


class NotPossible(Exception):
    """There can be no such file system here; the message says why."""


@functools.cache
def _be_alone():
    """From now on nobody else has the mounts of this process and its children."""
    if libc.unshare(CLONE_NEWNS) != 0 or libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) != 0:
        raise NotPossible(f"there can be no mounts of one's own: {os.strerror(ctypes.get_errno())}")


class FileSystem:
    """Mounted at `path`, from an image in `folder`, with mount options such as `data=writeback`; from a copy of one where that is given.

    With `rubbish` the disk is full of it before there is a file system on it, as one is that was used before.
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
            raise NotPossible(f"there is no {' and no '.join(missing)} on PATH; Debian: apt-get install e2fsprogs mount")
        _be_alone()
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
        # The device goes with the last who has it open, however this process ends.
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
            # What was on its way to the disk has come there, or was never sent.
            if before == self._written() and before[1] == 0:
                break
        self.is_cut = True

    def _written(self):
        """How many writes the device has carried out, and how many requests it has taken and not carried out."""
        with open(f"/sys/block/{os.path.basename(self.device)}/stat", encoding="ascii") as file:
            words = file.read().split()
        return int(words[4]), int(words[8])

    def unmount(self):
        if libc.umount2(self.path.encode(), 0) != 0:
            raise OSError(ctypes.get_errno(), f"{self.path} cannot be unmounted: {os.strerror(ctypes.get_errno())}")

    def recover(self):
        """What a machine does that has power again: it mounts what the cut left, which replays the file system's log. Without a cut it
        mounts what there is."""
        self.unmount()
        if os.path.exists(f"/sys/fs/ext4/{os.path.basename(self.device)}"):
            raise OSError(f"{self.device} is unmounted and still in use: another mount namespace has it, so its power does not come back")
        # A device of its own: this one's cache is of another disk now.
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
        """Puts the disk down as it was when it was last without power."""
        if os.path.exists(self.before):
            self._copy(self.before, os.path.join(folder, "before.img"))

    def close(self):
        libc.umount2(self.path.encode(), 0)
        os.close(self.held)
