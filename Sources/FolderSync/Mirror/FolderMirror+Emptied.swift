import NoteTasks
import NotesModel

/// Files that became empty, like many others: after a crash, on a full disk, or as placeholders of a cloud.
extension FolderMirror {
    /// Holds the notes of such files until a person approves that they are emptied.
    ///
    /// - Parameter files: the files to take; those that are held are removed from it.
    func holdEmptied(_ files: inout [ImportPlan.File], in run: inout MirrorRun) throws {
        guard !isApproved, files.contains(where: { isEmptied($0.path) }) else { return }
        let approved = try records.approvedRemovals(at: Clock.now())
        let held = try records.mirrorState()?.held ?? [:]
        func removal(_ path: [UInt8]) -> MirrorState.Removal? {
            records.files[path].map { MirrorState.Removal(note: $0.note, version: $0.version) }
        }
        let waiting = records.files.keys.filter { isEmptied($0) && approved[$0] != removal($0) }
        let recorded = records.files.count { $0.value.bytes > 0 }
        let isMany = FolderChanges.isMany(emptied: waiting.count, of: recorded)
        for file in files where isEmptied(file.path) && approved[file.path] != removal(file.path) {
            guard isMany || held[file.path] == removal(file.path) else { continue }
            run.untouched.insert(file.path)
            let reason = "its file became empty, like too many others at once"
            try run.report.report(
                MirrorState.Waiting(path: file.path, kind: .held, reason: reason, removal: removal(file.path)))
        }
        guard files.contains(where: { run.untouched.contains($0.path) }) else { return }
        files.removeAll { run.untouched.contains($0.path) }
        try keepWaiting(run.report)
    }

    private func isEmptied(_ path: [UInt8]) -> Bool {
        found.stamps[path]?.bytes == 0 && records.files[path].map { $0.bytes > 0 } ?? false
    }
}
