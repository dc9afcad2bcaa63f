import NotesClient
import NotesModel
import NotesWire

/// Runs in which only texts of files and notes have changed that are in step otherwise.
///
/// Such a run costs work for each changed file and note, and none for the others. Everything else, such
/// as a file or a note that comes, goes or is renamed, takes a run that looks at all of them.
extension FolderMirror {
    /// The files and notes to look at. Each file has a record, and each note the file of its name.
    struct Entries {
        var paths: Set<[UInt8]>
        var notes: Set<NoteID> = []
    }

    /// Looks at what has changed in the folder.
    ///
    /// - Returns: the changed files and notes; nil if the run has to look at everything.
    mutating func changedEntries(in run: inout MirrorRun) -> Entries? {
        let paths = unverified
        // A run that fails makes the next one look at everything.
        unverified = nil
        guard case .watch(let notes) = source else { return nil }
        guard let changed = notes.takeChanged(), let paths, folder != nil, records.flights.isEmpty, repairs.isEmpty,
            records.paths.count == records.files.count
        else { return nil }
        look(in: &run)
        guard let dirty = run.dirty, !run.hasOtherFolders, found.temporary.isEmpty else { return nil }
        var entries = Entries(paths: paths)
        for path in dirty {
            let isThere = found.stamps[path] != nil
            guard isThere == (records.files[path] != nil) else { return nil }
            if isThere { entries.paths.insert(path) }
        }
        for id in changed where records.paths[id] != nil || notes.note(id) != nil { entries.notes.insert(id) }
        entries.notes.formUnion(entries.paths.compactMap { records.files[$0]?.note })
        guard entries.paths.count <= Self.entriesMax, entries.notes.count <= Self.entriesMax, haveFiles(entries.notes, notes)
        else { return nil }
        return entries
    }

    /// Whether each note has a record of the path of its name.
    private func haveFiles(_ ids: Set<NoteID>, _ notes: MirroredNotes) -> Bool {
        ids.allSatisfy { id in
            guard let path = records.paths[id], let note = notes.note(id) else { return false }
            return prefix.path(of: note.head) == path
        }
    }

    /// Saves the changed files, and writes the changed notes.
    mutating func bringInStep(_ entries: Entries, in run: inout MirrorRun) async throws -> MirrorTally {
        guard case .watch(let notes) = source else { return tally(try await notesBefore(in: &run)) }
        let files = ImportPlan(paths: Array(entries.paths), prefix: prefix.bytes)
        for (path, reason) in files.skipped { try run.leave(path, reason) }
        let changes = FolderChanges(
            missing: [:], fresh: [], changed: changed(among: files.taken, [:]), records: records.files)
        guard changes.moves.isEmpty else {
            // Files have exchanged their names.
            try await carryOut(changes, in: &run)
            try await notes.refresh(run.touched, client)
            run.wait(until: .now)
            return notes.tally
        }
        try await takeFiles(files.taken, of: entries.notes.compactMap { notes.note($0)?.head }, in: &run)
        try await notes.refresh(run.touched, client)
        guard run.touched.isSubset(of: entries.notes), haveFiles(entries.notes, notes) else {
            run.wait(until: .now)
            return notes.tally
        }
        let heads = entries.notes.compactMap { id in records.paths[id].flatMap { path in notes.note(id).map { ($0.head, path) } }
        }
        let paths = heads.map(\.1)
        let known = Dictionary(uniqueKeysWithValues: paths.compactMap { path in records.files[path].map { (path, $0) } })
        try await writeFiles(
            ExportPlan(known: heads), records: known.merging(run.joined) { _, new in new },
            shown: Dictionary(uniqueKeysWithValues: paths.compactMap { path in records.shown[path].map { (path, $0) } }),
            isOfAll: false, in: &run)
        try settle(in: &run)
        if run.report.waiting.isEmpty, run.untouched.isEmpty {
            unverified = entries.paths.union(paths).filter { verified[$0] == nil || verified[$0] != found.stamps[$0] }
        }
        return notes.tally
    }
}
