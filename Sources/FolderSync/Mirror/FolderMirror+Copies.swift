import Console
import NotesClient

/// Conflict copies that programs for synchronisation make in the folder.
extension FolderMirror {
    /// Merges a conflict copy into the note of its file, and removes it. The copy goes only after the daemon has
    /// acknowledged its text.
    mutating func merge(_ copy: ImportPlan.File, _ importer: Importer) async throws {
        guard let path = ConflictCopy.origin(of: copy.path) else { return }
        guard let record = records.files[path] else {
            return try leave(copy.path, "is a conflict copy of \(path.pathForPeople), which has no note; rename it, or remove it")
        }
        guard !untouched.contains(path), joined[path] == nil else { return try mergeLater(copy.path) }
        let shown = records.shown[path].flatMap { ShownTextsCodec.shown($0) }
        let origin = (record, shown ?? ShownTexts(record.version, LineMarks(lines: []), at: 0))
        switch try await importer.merge(copy, into: origin) {
        case .left(let reason?): try leave(copy.path, reason)
        case .left(nil): try mergeLater(copy.path)
        case .refused(let reason):
            waitAfterRefusal()
            try leave(copy.path, reason, .refused)
        case .merged(let merged):
            touched.insert(merged.note)
            let isGone: Bool
            do throws(Descriptor.OpenError) {
                isGone = try tree.remove(copy.path, bytes: merged.text.count, serial: 0, isLeasing: true) { $0 == merged.text }
            } catch {
                return try leave(copy.path, "is a conflict copy whose text the note has; it cannot be removed: \(error.text)")
            }
            guard isGone else { return try mergeLater(copy.path) }
            try report.report(copy.path, .merged, merged.note, to: path)
            if !report.isSilent {
                Output.note("merged the conflict copy \(copy.path.pathForPeople) into \(path.pathForPeople), and removed it")
            }
        }
    }

    private mutating func mergeLater(_ path: [UInt8]) throws {
        guard case .watch = source else { return try leave(path, "is a conflict copy; the next run merges it") }
        wait(until: .now + Self.writingPause)
    }
}
