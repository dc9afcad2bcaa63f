import Glibc
import NotesWire

/// Checks of the folder itself, and of the files that a killed mirror left in it.
extension FolderMirror {
    /// Checks that the folder still has its path. A folder that was moved, or over which another file
    /// system was mounted, says nothing about the notes.
    func checkPlace() throws {
        var (now, mine) = (stat(), stat())
        let isThere = place.withCPath { stat($0, &now) } == 0 && fstat(directory, &mine) == 0
        guard isThere, now.st_dev == mine.st_dev, now.st_ino == mine.st_ino else {
            throw ExitFailure(
                "the folder was moved, removed or replaced; move it back, or start the mirror again with the folder of today")
        }
    }

    /// Removes what a killed mirror left, and what this one could not remove.
    func clearTemporary() {
        for path in found.temporary {
            guard let kept = try? tree.clear(path) else { continue }
            Output.note("a program wrote a file while a mirror was killed; its text is in \(kept.pathForPeople)")
        }
    }

    /// Scans the folder. A scan leaves out hidden names, but the recorded files with such names are those
    /// of notes.
    func look() -> NoteFiles.Found {
        var found = NoteFiles.below(Descriptor(dup(directory)), NoteFiles.Selection(isWithoutLocked: true, omitted: omitted))
        let hidden = records.files.keys.filter { NoteFiles.isHidden(path: $0) }
        for path in hidden {
            guard let status = try? tree.status(of: path), status.st_mode & S_IFMT == S_IFREG else { continue }
            found.paths.append(path)
            found.stamps[path] = FileStamp(status)
            found.folders.append(Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)]))
        }
        if !hidden.isEmpty { found.paths.sort { $0.lexicographicallyPrecedes($1) } }
        return found
    }

    /// Records what the last run found, for `mirror status`.
    ///
    /// - Parameter notes: the notes after the run.
    /// - Throws: `ExitFailure` if it cannot be recorded.
    func keepState(_ notes: [NoteObject]) throws {
        let waiting = report.waiting.values.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        let now = Clock.now()
        try records.keep(
            MirrorState(
                looked: now, inStep: waiting.isEmpty ? now : nil, notes: notes.count,
                conflicts: notes.count { !$0.conflicts.isEmpty }, failure: nil, waiting: waiting))
    }

    /// Records the removals that wait for a person, before anything is written or recorded that would make
    /// them fewer than all.
    ///
    /// - Throws: as `keepState(_:)`.
    func keepWaiting() throws {
        let now = Clock.now()
        var state = try records.mirrorState() ?? MirrorState(looked: now, notes: 0, conflicts: 0, waiting: [])
        guard state.held != report.held else { return }
        state.looked = now
        state.waiting = report.waiting.values.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        try records.keep(state)
    }

    /// Records the error that ended the last run.
    ///
    /// - Throws: as `keepState(_:)`.
    func keepState(failure: String) throws {
        let now = Clock.now()
        var state = try records.mirrorState() ?? MirrorState(looked: now, notes: 0, conflicts: 0, waiting: [])
        (state.looked, state.inStep, state.failure) = (now, nil, failure)
        try records.keep(state)
    }

    /// Nanoseconds since 1970.
    func nanoseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Whether nothing has the path. A folder that cannot be read says nothing about its files.
    func isAbsent(_ path: [UInt8]) -> Bool {
        var status = stat()
        guard path.withCPath({ fstatat(directory, $0, &status, AT_SYMLINK_NOFOLLOW) }) != 0 else { return false }
        return errno == ENOENT || errno == ENOTDIR
    }
}
