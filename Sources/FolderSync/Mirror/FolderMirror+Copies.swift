import Console
import NoteText
import NotesClient
import NotesModel

/// Conflict copies that programs for synchronisation make in the folder.
extension FolderMirror {
    /// Merges a conflict copy into the note of its file, and removes it. The copy goes only after the daemon has
    /// acknowledged its text.
    func merge(_ copy: ImportPlan.File, _ importer: Importer, in run: inout MirrorRun) async throws {
        guard let path = ConflictCopy.origin(of: copy.path) else { return }
        guard let record = records.files[path] else {
            return try run.leave(
                copy.path, "is a conflict copy of \(path.pathForPeople), which has no note; rename it, or remove it")
        }
        guard !run.untouched.contains(path), run.joined[path] == nil else { return try mergeLater(copy.path, in: &run) }
        let shown = records.shown[path].flatMap { ShownTextsCodec.shown($0) }
        let origin = (record, shown ?? ShownTexts(record.version, LineMarks(lines: []), at: 0))
        switch try await importer.merge(copy, into: origin) {
        case .skipped(let reason?): try run.leave(copy.path, reason)
        case .skipped(nil): try mergeLater(copy.path, in: &run)
        case .refused(let reason):
            waitAfterRefusal(in: &run)
            try run.leave(copy.path, reason, .refused)
        case .merged(let merged):
            run.touched.insert(merged.note)
            let isGone: Bool
            do throws(Descriptor.OpenError) {
                isGone = try tree.remove(copy.path, with: FileContent(of: merged.text), serial: 0, isLeasing: true)
            } catch {
                return try run.leave(copy.path, "is a conflict copy whose text the note has; it cannot be removed: \(error.text)")
            }
            guard isGone else { return try mergeLater(copy.path, in: &run) }
            try run.report.report(copy.path, .merged, merged.note, to: path)
            if !run.report.isSilent {
                Output.note("merged the conflict copy \(copy.path.pathForPeople) into \(path.pathForPeople), and removed it")
            }
        }
    }

    private func mergeLater(_ path: [UInt8], in run: inout MirrorRun) throws {
        guard case .watch = source else { return try run.leave(path, "is a conflict copy; the next run merges it") }
        run.wait(until: .now + Self.writingPause)
    }
}
