import Console
import Glibc
import NoteTasks
import NotesClient
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
    func clearTemporary() async {
        let bytesMax = await textBytesMax()
        for path in found.temporary {
            guard let kept = try? tree.clear(path, bytesMax: bytesMax) else { continue }
            Output.note("a program wrote a file while a mirror was killed; its text is in \(kept.pathForPeople)")
        }
    }

    /// Looks at what has changed in the folder, or scans all of it.
    mutating func look(in run: inout MirrorRun) {
        run.looked = nanoseconds()
        // The folders of recorded files with hidden names are watched, but not those that come.
        guard let folder, let scanned, .now - scanned < Self.scanPause, folder.error == nil, found.unreadable.isEmpty,
            !records.hasHidden
        else { return scanFolder(in: &run) }
        let changes = folder.take()
        guard !changes.isIncomplete, !changes.paths.contains(IgnoreFile.name) else { return scanFolder(in: &run) }
        run.dirty?.formUnion(changes.paths)
        remade.formUnion(changes.remade)
        for path in changes.paths { verified[path] = nil }
        let cover = cover
        if found.refresh(changes.paths, tree, selection, entering: cover) { run.hasOtherFolders = true }
        run.wait(until: scanned + Self.scanPause)
    }

    /// Whether git has probably written a file: it was made anew, in a folder that git knows.
    func isMadeByGit(_ path: [UInt8]) -> Bool {
        guard remade.contains(path) else { return false }
        var folder = place + [UInt8(ascii: "/")] + path
        while let slash = folder.lastIndex(of: UInt8(ascii: "/")) {
            folder.removeSubrange(slash...)
            if (folder + Array("/.git".utf8)).withCPath({ access($0, F_OK) }) == 0 { return true }
        }
        return false
    }

    var selection: NoteFiles.Selection {
        NoteFiles.Selection(excluded: ignored, isWithoutLocked: true, omitted: Set(omitted.keys), files: files)
    }

    /// Watches a folder before it is read.
    private var cover: ([UInt8]) -> Void {
        { [folder, place] name in folder?.cover(name.isEmpty ? place : place + [UInt8(ascii: "/")] + name, as: name) }
    }

    /// Scans the folder.
    private mutating func scanFolder(in run: inout MirrorRun) {
        // Events until now are about what the scan finds.
        folder?.startAnew()
        (scanned, run.dirty, remade) = (.now, nil, [])
        ignored = IgnoreFile.patterns(in: tree)
        found = scannedFolder(entering: cover)
    }

    /// Scans the folder. A scan leaves out hidden names, but the recorded files with such names are those
    /// of notes.
    ///
    /// - Parameter entering: called with the path of each folder before it is read.
    func scannedFolder(entering: ([UInt8]) -> Void = { _ in }) -> NoteFiles.Found {
        var found = NoteFiles.below(Descriptor(dup(directory)), selection, entering: entering)
        let hidden = records.files.keys.filter { NoteFiles.isHidden(path: $0) }
        for path in hidden {
            let folder = Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
            if found.folders.insert(folder).inserted { entering(folder) }
            guard let status = try? tree.status(of: path), status.st_mode & S_IFMT == S_IFREG else { continue }
            found.paths.append(path)
            found.stamps[path] = FileStamp(status)
        }
        if !hidden.isEmpty { found.paths.sort { $0.lexicographicallyPrecedes($1) } }
        return found
    }

    /// Records what the last run found, for `mirror status`.
    ///
    /// - Parameters:
    ///   - notes: the numbers of notes after the run.
    ///   - report: that of the run.
    /// - Throws: `ExitFailure` if it cannot be recorded.
    func keepState(_ notes: MirrorTally, _ report: MirrorReport) throws {
        let waiting = report.waiting.values.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        let now = Clock.now()
        try records.keep(
            MirrorState(
                looked: now, inStep: waiting.allSatisfy { $0.kind == .declined } ? now : nil, notes: notes.notes,
                conflicts: notes.conflicts, failure: nil,
                waiting: waiting))
    }

    /// Records the removals that wait for a person, before anything is written or recorded that would make
    /// them fewer than all.
    ///
    /// - Throws: as `keepState(_:_:)`.
    func keepWaiting(_ report: MirrorReport) throws {
        let now = Clock.now()
        var state = try records.mirrorState() ?? MirrorState(looked: now, notes: 0, conflicts: 0, waiting: [])
        guard state.held != report.held else { return }
        state.looked = now
        state.waiting = report.waiting.values.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        try records.keep(state)
    }

    /// Records the error that ended the last run.
    ///
    /// - Throws: as `keepState(_:_:)`.
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

    /// Whether nothing but a folder has the path. A folder that cannot be read, or has become a symbolic link, says
    /// nothing about its files.
    func isAbsent(_ path: [UInt8]) -> Bool {
        do throws(Descriptor.OpenError) {
            return try tree.status(of: path).st_mode & S_IFMT == S_IFDIR
        } catch {
            return error.number == ENOENT || error.number == ENOTDIR
        }
    }

    /// Size limit of a note, in bytes.
    func textBytesMax() async -> Int { await client.hello?.limits.noteBytesMax ?? .max }
}
