import ArgumentParser
import Glibc
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

struct Export: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all notes to files in a directory.",
        discussion: """
            Examples:
              notesctl export ~/backup
              notesctl export --prefix work/ ~/work

            Writes each note below DIR, to the path of its name, with .md appended unless the name \
            ends in .txt. Writes a note without a name to <id>.md. Creates directories as needed, \
            overwrites existing files at these paths, and leaves other files alone. Does not follow \
            symbolic links below DIR. An imported note that nobody has changed comes back byte for \
            byte.

            With --json, prints one object per note: "path", "id", "outcome" (written, or left for a \
            skipped note), and "reason".
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The directory; created if it does not exist.", valueName: "dir"), completion: .directory)
    var directory: String

    @Option(name: .long, help: "Only notes whose name starts with this.", completion: NoteCompletion.names)
    var prefix: String?

    func perform() async throws {
        let filter = Filter(prefix: prefix.map { ByteString($0) })
        let report = try await options.withPipeline { client in
            let notes = try await client.listAll(filter).map(\.head)
            let root = try Self.made(directory)
            let tree = FileTree(root)
            var report = ExportReport(options: options, total: notes.count)
            let plan = ExportPlan(notes)
            for (path, reason) in plan.left { try report.report(path, nil, reason) }
            try await BoundedTaskGroup.run(plan.taken, each: { try await Self.write($0, client, tree) }) { file, fault in
                try report.report(file.path, file.note, fault)
            }
            withExtendedLifetime(root) {}
            return report
        }
        try report.finish()
    }

    /// Opens the directory, which is created if necessary.
    private static func made(_ directory: String) throws -> Descriptor {
        let path = Array(directory.utf8)
        let isMade = path.withCPath { mkdir($0, 0o777) } == 0
        let number = errno
        do {
            return try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
        } catch {
            let reason = isMade || number == EEXIST ? error.text : SystemError.text(number)
            throw ExitFailure("cannot write to the directory \(SafeText.line(directory)): \(reason)")
        }
    }

    /// Writes one note to its file.
    ///
    /// - Returns: why the file was not written; nil if it was, or if the note has been deleted since.
    private static func write(_ file: ExportPlan.File, _ client: any NotesAPI, _ tree: FileTree) async throws -> String? {
        let note: NoteObject
        do {
            note = try await client.note(.id(file.note))
        } catch {
            throw explained(error, "cannot read \(file.path.pathForPeople)")
        }
        if note.head.isDeleted { return nil }
        do throws(Descriptor.OpenError) {
            try tree.write(note.text ?? [], to: file.path, serial: file.serial)
            return nil
        } catch {
            return error.number == ELOOP || error.number == ENOTDIR
                ? "part of its path is a symbolic link or not a directory" : error.text
        }
    }
}

/// The assignment of notes to files. Notes that map to one path are skipped, with a reason.
struct ExportPlan {
    /// A note and the path of its file.
    struct File: Sendable {
        let note: NoteID
        let path: [UInt8]
        /// A number unique within the export, used in the name of the temporary file.
        let serial: Int
    }

    /// Files to write.
    private(set) var taken: [File] = []
    /// Skipped paths, relative to the directory, with the reason.
    private(set) var left: [(path: [UInt8], reason: String)] = []

    init(_ notes: [Head]) {
        let byPath = Dictionary(grouping: notes, by: NoteFileName.path)
        for (serial, (path, notes)) in byPath.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }).enumerated() {
            if notes.count == 1 {
                taken.append(File(note: notes[0].id, path: path, serial: serial))
            } else {
                let ids = notes.map(\.id.description).sorted().joined(separator: ", ")
                left.append((path, "\(notes.count) notes map to this file: \(ids)"))
            }
        }
    }
}

/// Counts and prints the results of an export.
struct ExportReport {
    let options: GlobalOptions
    /// Number of notes to export.
    let total: Int
    private var done = 0
    private var left = 0

    init(options: GlobalOptions, total: Int) {
        self.options = options
        self.total = total
    }

    /// Counts and prints the result for one file.
    ///
    /// - Parameter fault: why the file was skipped; nil if it was written.
    mutating func report(_ path: [UInt8], _ note: NoteID?, _ fault: String?) throws {
        done += 1
        if let fault {
            left += 1
            Output.note("skipped \(path.pathForPeople): \(fault)")
        }
        if options.isForPrograms { try options.emit(Self.json(path, note, fault)) }
        if done % Progress.every == 0 { Progress.show("exporting \(done) of \(total)") }
    }

    private static func json(_ path: [UInt8], _ note: NoteID?, _ fault: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("path", String(decoding: path, as: UTF8.self))
            if let note { line.member("id", note.description) }
            line.member("outcome", fault == nil ? "written" : "left")
            if let fault { line.member("reason", fault) }
        }
        return writer.bytes
    }

    /// Prints the summary.
    ///
    /// - Throws: `ExitFailure` if notes were skipped.
    func finish() throws {
        Progress.clear()
        if !options.isForPrograms { try Output.line("\(done - left) notes written" + (left > 0 ? ", \(left) skipped" : "")) }
        if left > 0 { throw ExitFailure("\(left) notes were skipped; see the reasons above", .badData) }
    }
}
