import ArgumentParser
import Console
import FolderSync
import NoteTasks
import NotesClient
import NotesModel

/// The options of the first contact of a folder and the notes, which `mirror` and `mirror enable` share.
struct MirrorContact: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Only the notes below this name, without it in their paths, as in 'work'.", valueName: "prefix"),
        completion: NoteCompletion.names)
    var prefix: String?

    @Flag(name: .long, help: "Bring a folder and notes together that were never in step.")
    var adopt = false

    /// The prefix of the folder: the option, or the one with which the folder was mirrored first.
    ///
    /// - Throws: `ExitFailure` if both are there and differ.
    func checkedPrefix(of directory: String, _ client: any NotesAPI) async throws -> NamePrefix {
        let given = try prefix.map { try NamePrefix($0, of: "--prefix") }
        let recorded = try MirrorRecords.open(isReadOnly: true)?
            .prefix(of: FileRecords.realPath(directory), try await client.store())
        if let given, let recorded, given != recorded {
            let what = recorded.bytes.isEmpty ? "all notes" : "the notes below \(recorded.bytes.pathForPeople)"
            throw ExitFailure(
                "\(SafeText.line(directory)) is a mirror of \(what); take another folder, or end that mirror with "
                    + "`notesctl mirror forget \(Shell.quoted(directory))`", .usage)
        }
        return given ?? recorded ?? .none
    }

    /// The mirror of a folder, after the check of the first contact.
    ///
    /// - Parameters:
    ///   - root: the folder, locked.
    ///   - isApproved: as in `FolderMirror`.
    ///   - folder: the watch of the folder; nil to scan it in each run.
    /// - Throws: `ExitFailure` without a state directory, or as `FolderMirror.checkContact(isAdopted:)`.
    func mirror(
        _ directory: String, _ root: borrowing Descriptor, _ client: any NotesAPI, _ source: FolderMirror.Source,
        _ prefix: NamePrefix, isApproved: Bool = false, _ folder: FolderWatch? = nil
    ) async throws -> FolderMirror {
        let place = FileRecords.realPath(directory)
        let recorded = FileRecords.Place(directory: place, store: try await client.store(), prefix: prefix.bytes)
        let records = try FileRecords.open(recorded)
        guard records.isKept else {
            throw ExitFailure(
                "a mirror needs a state directory, for the record of what its files showed; set XDG_STATE_HOME", .usage)
        }
        let omitted = try MirrorRecords.open(isReadOnly: true)?.folders(below: recorded) ?? [:]
        for folder in omitted.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            Output.note("leaves out \(folder.pathForPeople), which has a mirror of its own")
        }
        var mirror = FolderMirror(
            client, source, directory: root.number, tree: FileTree(root), place: place, prefix: prefix, omitted: omitted,
            records: records, isApproved: isApproved, folder: folder)
        try await mirror.checkContact(isAdopted: adopt)
        return mirror
    }
}
