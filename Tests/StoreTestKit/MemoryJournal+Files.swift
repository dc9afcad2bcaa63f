package import NoteText
import NotesModel
package import NotesStore

/// The names of files.
extension MemoryJournal {
    /// Notes the files that a commit names.
    func name(_ commit: Commit, isFloor: Bool) {
        guard FileContent.isFile(commit.text) else { return }
        let files = NamedFiles.named(by: commit.revision.edits, at: isFloor ? commit.text : nil)
        fileNames[commit.sequence] = files.isEmpty ? nil : files
    }

    /// Records the files that erased revisions named and that nothing names any more.
    func settleErasures() {
        let named = Set(fileNames.values.joined().map(\.hash))
        fileErasures = erasedNames.map { erased in
            FileErasure(
                purge: erased.purge, recorded: erased.hashes.subtracting(named).sorted(),
                kept: erased.hashes.intersection(named).sorted())
        }
        for erasure in fileErasures { erasedFiles.formUnion(erasure.recorded) }
    }

    package func isNamed(_ hash: FileHash) throws(JournalError) -> Bool {
        try demandReading()
        return fileNames.values.contains { $0.contains { $0.hash == hash } }
    }

    package func namings(
        of hash: FileHash, before sequence: UInt64?, limit: Int
    ) throws(JournalError) -> [FileNaming] {
        try demandReading()
        let sequences = fileNames.filter { $0.key < sequence ?? .max && $0.value.contains { $0.hash == hash } }.keys
        return sequences.sorted(by: >).prefix(limit).map {
            FileNaming(sequence: $0, note: commit($0).revision.note, dot: commit($0).revision.dot)
        }
    }

    package func namedFiles(after hash: FileHash?, limit: Int) throws(JournalError) -> [FileContent] {
        try demandReading()
        let sizes = Dictionary(fileNames.values.joined().map { ($0.hash, $0.bytes) }, uniquingKeysWith: min)
        let after = sizes.filter { found in hash.map { $0 < found.key } ?? true }
        return after.sorted { $0.key < $1.key }.prefix(limit).map { FileContent(hash: $0.key, bytes: $0.value) }
    }

    package var filesToErase: [FileHash] { erasedFiles.sorted() }

    package func forgetErased(_ hashes: [FileHash]) throws(JournalError) {
        try demandReading()
        erasedFiles.subtract(hashes)
    }
}
