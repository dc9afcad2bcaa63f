import ArgumentParser
import Glibc
import NotesClient
import NotesModel
import NotesWire
import StrictJSON

struct Import: NotesCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Create or update notes from the files below a directory.",
        discussion: """
            Examples:
              notesctl import ~/notes
              notesctl import ~/notes --json | jq -r 'select(.outcome=="left") | .path'

            Reads every regular .md and .txt file below DIR, and ignores symbolic links. A note's \
            name is the file's path below DIR, without .md. If a note with that name exists, the \
            file's text replaces its text, based on the note's version at the start of the import: \
            the same text creates no revision, and the daemon merges changes that others make \
            meanwhile. You can interrupt and repeat an import: it writes each note completely or \
            not at all.

            Skips and reports a file that is not UTF-8, contains a zero byte, is too large, has a \
            path that cannot be a note's name, or maps to the same name as another file; the exit \
            code is then 65. Otherwise, if a note is in conflict with changes by others, the exit \
            code is 2.

            With --json, prints one object per file: "path", "outcome" (created, saved, merged, \
            conflicted, unchanged, or left for a skipped file), and "id" or "reason".
            """)

    @OptionGroup var options: GlobalOptions

    @Argument(help: ArgumentHelp("The directory.", valueName: "dir"), completion: .directory)
    var directory: String

    func perform() async throws {
        let root: Descriptor
        do {
            root = try Descriptor.open(Array(directory.utf8), O_RDONLY | O_DIRECTORY)
        } catch {
            throw ExitFailure("cannot read the directory \(SafeText.line(directory)): \(error.text)", .badData)
        }
        let found = NoteFiles.below(root)
        let files = ImportPlan(paths: found.paths)
        let descriptor = root.number
        let tally = try await options.withPipeline { client in
            let existing = try await client.listAll()
            let importer = Importer(
                client: client, directory: descriptor, bytesMax: await client.hello?.limits.noteBytesMax ?? .max,
                existing: Dictionary(
                    existing.compactMap { note in note.head.name.map { ($0, note.head) } },
                    uniquingKeysWith: { first, _ in first }))
            var report = ImportReport(options: options, total: found.paths.count)
            for (path, reason) in found.unreadable { try report.report(path, .left("cannot be read: \(reason)")) }
            for (path, reason) in files.left { try report.report(path, .left(reason)) }
            try await BoundedTaskGroup.run(files.taken, each: { try await importer.take($0) }) { file, result in
                try report.report(file.path, result)
            }
            return report
        }
        withExtendedLifetime(root) {}
        try tally.finish()
    }
}

/// The assignment of files to notes. Files that cannot become a note are skipped, with a reason.
struct ImportPlan {
    /// A file and the name of its note.
    struct File: Sendable {
        let path: [UInt8]
        let name: NoteName
    }

    /// Files to import, sorted by name.
    private(set) var taken: [File] = []
    /// Skipped paths, relative to the directory, with the reason.
    private(set) var left: [(path: [UInt8], reason: String)] = []

    /// - Parameter paths: paths below the directory, of files with the extension of a note.
    init(paths: [[UInt8]]) {
        var byName: [NoteName: [[UInt8]]] = [:]
        for path in paths {
            guard let bytes = NoteFileName.noteName(ofPath: path) else { continue }
            guard let text = ByteString(checkedUTF8: bytes) else {
                left.append((path, "its name is not UTF-8"))
                continue
            }
            do throws(InvalidName) {
                byName[try NoteName(text), default: []].append(path)
            } catch {
                left.append((path, "\(error)"))
            }
        }
        for (name, paths) in byName.sorted(by: { $0.key < $1.key }) {
            if paths.count == 1 {
                taken.append(File(path: paths[0], name: name))
            } else {
                for path in paths {
                    left.append((path, "\(paths.count) files map to the name \(SafeText.line(name.description))"))
                }
            }
        }
    }
}

/// The result for one file: what became of the note, or why the file was skipped.
enum ImportResult: Sendable {
    case created(NoteID)
    case saved(NoteID)
    case merged(NoteID)
    case conflicted(NoteID)
    case unchanged(NoteID)
    /// Skipped, with the reason.
    case left(String)
}

/// Imports files; any number at the same time.
struct Importer: Sendable {
    let client: any NotesAPI
    /// Descriptor of the directory, owned by the caller.
    let directory: Int32
    /// Size limit of a note, in bytes.
    let bytesMax: Int
    /// The notes, without deleted ones, at the start of the import.
    let existing: [NoteName: Head]

    /// Imports one file.
    ///
    /// - Throws: an error that ends the whole import, such as a lost connection or a full disk.
    func take(_ file: ImportPlan.File) async throws -> ImportResult {
        let text: [UInt8]
        do {
            text = try Descriptor.open(file.path, in: directory, O_RDONLY | O_NOFOLLOW).readAll()
        } catch {
            return .left("cannot be read: \(error.text)")
        }
        if text.count > bytesMax { return .left("has \(text.count) bytes; the limit for a note is \(bytesMax)") }
        if let fault = TextInput.fault(in: text) { return .left(fault) }
        do {
            guard let note = existing[file.name] else {
                let id = client.noteID(at: Clock.now())
                return .created(try await client.create(text: text, name: file.name.bytes, id: id).note.head.id)
            }
            let outcome = try await client.save(note.id, base: note.version, text: text)
            return switch outcome.outcome {
            case .unchanged: .unchanged(note.id)
            case .saved: .saved(note.id)
            case .merged: .merged(note.id)
            case .conflicted: .conflicted(note.id)
            }
        } catch ClientError.refused(let error) where error.kind == .noteExists || error.kind == .noteTooLarge {
            return .left(error.message)
        } catch {
            throw explained(error, "cannot import \(file.path.pathForPeople)")
        }
    }
}

/// Counts and prints the results of an import.
struct ImportReport {
    let options: GlobalOptions
    /// Number of files found.
    let total: Int
    private var counts = (created: 0, saved: 0, merged: 0, conflicted: 0, unchanged: 0, left: 0)
    private var done = 0

    init(options: GlobalOptions, total: Int) {
        self.options = options
        self.total = total
    }

    /// Counts and prints the result for one file.
    mutating func report(_ path: [UInt8], _ result: ImportResult) throws {
        done += 1
        switch result {
        case .created: counts.created += 1
        case .saved: counts.saved += 1
        case .merged: counts.merged += 1
        case .conflicted(let id):
            counts.conflicted += 1
            Output.note(
                "imported \(path.pathForPeople), and others changed the same place; see `notesctl conflicts \(id)`")
        case .unchanged: counts.unchanged += 1
        case .left(let reason):
            counts.left += 1
            Output.note("skipped \(path.pathForPeople): \(reason)")
        }
        if options.isForPrograms { try options.emit(Self.json(path, result)) }
        if done % Progress.every == 0 { Progress.show("importing \(done) of \(total)") }
    }

    private static func json(_ path: [UInt8], _ result: ImportResult) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { line in
            line.member("path", String(decoding: path, as: UTF8.self))
            switch result {
            case .created(let id): write("created", id, &line)
            case .saved(let id): write("saved", id, &line)
            case .merged(let id): write("merged", id, &line)
            case .conflicted(let id): write("conflicted", id, &line)
            case .unchanged(let id): write("unchanged", id, &line)
            case .left(let reason):
                line.member("outcome", "left")
                line.member("reason", reason)
            }
        }
        return writer.bytes
    }

    private static func write(_ outcome: String, _ id: NoteID, _ line: inout JSONWriter) {
        line.member("outcome", outcome)
        line.member("id", id.description)
    }

    /// Prints the summary.
    ///
    /// - Throws: `ExitFailure` if files were skipped, else `ExitCode` 2 if notes are in conflict.
    func finish() throws {
        Progress.clear()
        if !options.isForPrograms { try Output.line(summary) }
        if counts.left > 0 { throw ExitFailure("\(counts.left) of \(total) files were skipped; see the reasons above", .badData) }
        if counts.conflicted > 0 { throw ExitCode(ExitStatus.inConflict.rawValue) }
    }

    /// The counts in one line; zero counts of rare results are left out.
    var summary: String {
        var parts = ["\(counts.created) new", "\(counts.saved) changed", "\(counts.unchanged) unchanged"]
        if counts.merged > 0 { parts.append("\(counts.merged) merged with changes by others") }
        if counts.conflicted > 0 { parts.append("\(counts.conflicted) in conflict with them") }
        if counts.left > 0 { parts.append("\(counts.left) skipped") }
        return "\(total) files: " + parts.joined(separator: ", ")
    }
}
