import Console
import NoteTasks
import NotesClient
import NotesModel
import NotesWire

/// The first contact of a folder and the notes.
extension FolderMirror {
    /// The numbers of files and notes that a first run finds, by what it does with them.
    struct Contact: Equatable {
        /// Files with the text of their note.
        var same = 0
        /// Files with an older text of their note.
        var older = 0
        /// Files that have no note yet.
        var new = 0
        /// Files with another text than their note. Both get the lines of both.
        var different = 0
        /// Notes that have no file yet.
        var notes = 0

        var files: Int { same + older + new + different }

        /// The counts in one line, such as `4 files: 3 the same, 1 only here; 2 notes without a file`.
        var summary: String {
            let parts = [(same, "the same"), (older, "older"), (new, "only here"), (different, "different")]
                .compactMap { $0 > 0 ? "\($0) \($1)" : nil }
            return "\(counted(files, "file")): \(parts.joined(separator: ", ")); \(counted(notes, "note")) without a file"
        }
    }

    /// Compares the folder with the notes, and changes nothing.
    ///
    /// - Complexity: reads each file, and each note with a file of another text or version.
    func contact() async throws -> Contact {
        let notes = try await client.listAll(prefix.filter(files)).map(\.head).filter(files.shows)
        let files = ImportPlan(paths: scannedFolder().paths, prefix: prefix.bytes)
        let importer = try await importer(notes, isDry: true)
        let versions = Dictionary(notes.map { ($0.id, $0.version) }, uniquingKeysWith: { one, _ in one })
        var contact = Contact()
        var withFiles: Set<NoteID> = []
        try await BoundedTaskGroup.run(files.taken) {
            try await importer.take($0)
        } finished: { _, result in
            if let id = result.id { withFiles.insert(id) }
            switch result.outcome {
            case .created: contact.new += 1
            case .joined: contact.different += 1
            case .unchanged where result.id.flatMap({ versions[$0] }) == result.record?.version: contact.same += 1
            case .unchanged: contact.older += 1
            case .saved, .merged, .conflicted, .deleted, .beingWritten, .refused, .skipped: break
            }
        }
        contact.notes = notes.count { !withFiles.contains($0.id) }
        return contact
    }

    /// Checks that a folder does not have very many files besides the texts, or very large ones.
    private func checkFiles() throws {
        let sizes = scannedFolder().stamps.filter { !NoteFileName.isText($0.key) }.map(\.value.bytes)
        let bytes = sizes.reduce(0, +)
        guard sizes.count > Self.filesMax || bytes > Self.filesBytesMax else { return }
        throw ExitFailure(
            "\(place.pathForPeople) has \(counted(sizes.count, "file")) with \(ByteCount.text(bytes)) besides the texts; give "
                + "--files known to make notes of them, --files none to leave them out, or --files-below SIZE to leave out large "
                + "ones", .usage)
    }

    /// Most files besides the texts, and their bytes, that a first contact takes without a choice.
    private static let (filesMax, filesBytesMax) = (10_000, 1_000_000_000)

    /// Checks the first contact, and records that it has happened.
    ///
    /// - Parameters:
    ///   - isAdopted: whether a person has approved that files and notes are brought together.
    ///   - isWithManyFiles: whether a person has chosen which files besides the texts are notes, however many there are.
    /// - Throws: `ExitFailure` if nobody has, and both have texts that the other side lacks, or if there are very many files
    ///   besides the texts.
    package mutating func checkContact(isAdopted: Bool, isWithManyFiles: Bool = true) async throws {
        let state = try records.mirrorState()
        isFirstContact = state?.inStep == nil
        ignored = IgnoreFile.patterns(in: tree)
        try forgetOthers()
        guard state == nil else { return }
        if !isWithManyFiles { try checkFiles() }
        if !isAdopted, records.files.isEmpty {
            let contact = try await contact()
            let hasNotes = contact.notes + contact.same + contact.older + contact.different > 0
            if hasNotes, contact.new + contact.different > 0 {
                throw ExitFailure(
                    "\(place.pathForPeople) was never mirrored, and both sides have texts: \(contact.summary); run the same command "
                        + "with --adopt to make notes of the files that are only here and to give both sides the lines of both",
                    .usage)
            }
        }
        try records.keep(MirrorState(looked: Clock.now(), notes: 0, conflicts: 0, waiting: []))
    }
}
