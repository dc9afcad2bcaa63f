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

    @OptionGroup var filesOptions: FileOptions

    @Flag(name: .long, help: "Bring a folder and notes together that were never in step.")
    var adopt = false

    /// Which notes the folder shows: as the options state, or as it was mirrored before. A new mirror shows known files.
    ///
    /// - Throws: `ExitFailure` if it was mirrored with another prefix, or if the daemon has no files.
    func checked(
        _ directory: String, _ client: any NotesAPI
    ) async throws -> (prefix: NamePrefix, files: FileChoice) {
        let given = try prefix.map { try NamePrefix($0, of: "--prefix") }
        let choices = try MirrorRecords.open(isReadOnly: true)?
            .choices(of: FileRecords.realPath(directory), try await client.store())
        let recorded = choices?.prefix
        if let given, let recorded, given != recorded {
            let what = recorded.bytes.isEmpty ? "all notes" : "the notes below \(recorded.bytes.pathForPeople)"
            throw ExitFailure(
                "\(SafeText.line(directory)) is a mirror of \(what); take another folder, or end that mirror with "
                    + "`notesctl mirror forget \(Shell.quoted(directory))`", .usage)
        }
        let usual = choices == nil ? FileChoice(kinds: .known) : choices?.files ?? .none
        return (given ?? recorded ?? .none, try await filesOptions.choice(or: usual, client))
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
        _ shown: (prefix: NamePrefix, files: FileChoice), isApproved: Bool = false, _ folder: FolderWatch? = nil
    ) async throws -> FolderMirror {
        let place = FileRecords.realPath(directory)
        let recorded = FileRecords.Place(directory: place, store: try await client.store(), prefix: shown.prefix.bytes)
        let records = try FileRecords.open(recorded)
        let isNew = try !records.isMirrored()
        guard records.isKept else {
            throw ExitFailure(
                "a mirror needs a state directory, for the record of what its files showed; set XDG_STATE_HOME", .usage)
        }
        let omitted = try MirrorRecords.open(isReadOnly: true)?.folders(below: recorded) ?? [:]
        for folder in omitted.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            Output.note("leaves out \(folder.pathForPeople), which has a mirror of its own")
        }
        var mirror = FolderMirror(
            client, source, directory: root.number, tree: FileTree(root), place: place, prefix: shown.prefix, omitted: omitted,
            files: shown.files, records: records, isApproved: isApproved, folder: folder)
        try await mirror.checkContact(isAdopted: adopt, isWithManyFiles: filesOptions.kinds != nil)
        if filesOptions.kinds != nil || filesOptions.below != nil || isNew { try records.choose(shown.files) }
        return mirror
    }
}
