import ArgumentParser
import Glibc
import Logging
import NotesEngine
import NotesModel
import NotesStore

/// `notesd audit`: checks a store offline.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check a store that no daemon uses.",
        usage: "notesd audit --data <dir> [--quick] [--files]",
        discussion: """
            Checks the file with SQLite's integrity check, then reads the whole store, computes every note from its history, and \
            compares the result with the stored one. Prints one line for each fault. A line that ends with "(derived data)" \
            concerns only data that is computed from the revisions, such as names and conflicts; texts are not affected, and \
            `notesd restore` rebuilds the data. Looks up each file that a revision names in the folder of files, and compares its \
            size; with --files, also its hash. A line that ends with "(bytes of a file)" affects no text. Also lists revisions from other machines that wait for their parents or were not \
            accepted; these are not faults. The store is not changed. While a daemon uses the store, use `notesctl audit` \
            instead.

            Exit codes: 0 no faults, 64 invalid usage, 65 faults, or not a store that this version can read, 73 the directory \
            cannot be read, 74 reading failed, 75 a daemon uses the store.

            Examples:
              notesd audit --data ~/.local/share/notesd
              notesd audit --data /mnt/backup/notesd --quick
            """)

    @Option(help: ArgumentHelp("The directory of the store.", valueName: "dir"))
    var data: String

    @Flag(help: "Check only the SQLite file, not the notes.")
    var quick = false

    @Flag(help: "Also reread the bytes of all files.")
    var files = false

    /// Checks the store and prints the faults, or a line that there are none.
    ///
    /// - Throws: `ExitFailure` with the codes of the help text.
    func carryOut() throws(ExitFailure) {
        do throws(StoreError) {
            let store = try OfflineStore(directory: data)
            let inspection = try Inspection(store, isQuick: quick, files: files ? .hashed : .compared)
            for line in inspection.faults + inspection.held { Output.say(line, to: STDOUT_FILENO) }
            try inspection.demandNoFaults(in: data)
            Output.say(inspection.verdict(on: data), to: STDOUT_FILENO)
        } catch {
            throw ExitFailure(error)
        }
    }
}

/// Check of a store that no daemon uses, and its result.
struct Inspection {
    /// One line for each fault: the note or `store`, the revision if known, and a description.
    private(set) var faults: [String] = []
    /// One line for each note with waiting revisions, and for each revision that was not accepted. They
    /// are not faults.
    private(set) var held: [String] = []
    private var report: AuditReport?

    /// How files are checked.
    enum FileCheck {
        case none, compared, hashed
    }

    /// Checks the file and, unless that finds a fault, the notes.
    ///
    /// Shows progress on standard error if that is a terminal.
    ///
    /// - Parameters:
    ///   - store: the store.
    ///   - files: how to check the bytes of files.
    ///   - isQuick: whether to leave out the notes, and the comparison of indexes with tables.
    /// - Throws: `StoreError` if the store cannot be read.
    /// - Complexity: O(size of the store).
    init(_ store: OfflineStore, isQuick: Bool, files: FileCheck = .none) throws(StoreError) {
        Terminal.show("checking the file")
        defer { Terminal.clear() }
        faults = try store.faults(isQuick: isQuick).map { "store  " + Self.plain($0) }
        // If the tables are damaged, any note may be reported wrongly.
        guard !isQuick, faults.isEmpty else { return }
        var logger = Logger(label: "notesd")
        logger.logLevel = .error
        let findings = files == .none ? [] : try store.fileFindings(isHashed: files == .hashed)
        let journal = try store.journal(logger: logger)
        do throws(JournalError) {
            var report = try OfflineAudit.run(journal) { done, total in
                if done % 100 == 0 { Terminal.show("audited \(done) of \(total)") }
            }
            report.findings += findings
            self.report = report
            faults = report.findings.map(Self.line)
            held = report.waiting.map(Self.line) + report.quarantined.map(Self.line)
        } catch { throw .journal(error) }
    }

    /// The line for a finding.
    private static func line(_ finding: AuditFinding) -> String {
        [
            finding.note.map { "\($0)" } ?? "store", finding.dot.map { "\($0)" }, plain(finding.what),
            finding.affects == .derived ? "(derived data)" : finding.affects == .files ? "(bytes of a file)" : nil,
        ].compactMap { $0 }.joined(separator: "  ")
    }

    /// The line for the waiting revisions of a note.
    private static func line(_ waiting: AuditWaiting) -> String {
        let count = waiting.revisions == 1 ? "1 revision waits" : "\(waiting.revisions) revisions wait"
        return "\(waiting.note)  \(count) for parents  (not a fault)"
    }

    /// The line for a revision that was not accepted.
    private static func line(_ held: HeldRevision) -> String {
        "\(held.note)  \(held.dot)  not accepted: \(plain(held.reason ?? ""))  (not a fault)"
    }

    /// The number of faults, as a phrase.
    private var count: String { faults.count == 1 ? "1 fault" : "\(faults.count) faults" }

    /// A sentence on the faults if all of them concern derived data only; otherwise nil.
    var derivedVerdict: String? {
        report?.affectsDerivedOnly == true ? "\(count) in derived data; texts are not affected" : nil
    }

    /// The notes in which derived data is wrong, in ascending order.
    var affectedNotes: [NoteID] { Set(report?.findings.compactMap(\.note) ?? []).sorted() }

    /// Throws `StoreError.backup` with the number of faults if there are any.
    ///
    /// - Parameter remedy: what to do about faults in notes.
    func demandNoFaults(in place: String, remedy: String = "") throws(StoreError) {
        guard !faults.isEmpty else { return }
        guard report != nil else { throw .backup("\(count) in the file of \(place)") }
        if report?.affectsFilesOnly == true {
            throw .backup("\(place): \(count) in the bytes of files; texts are not affected\(remedy)")
        }
        if let derivedVerdict { throw .backup("\(place): \(derivedVerdict)\(remedy)") }
        throw .backup("\(count) in the notes of \(place), none in its file\(remedy)")
    }

    /// A line for a store without faults that says what was checked.
    func verdict(on place: String) -> String {
        if let report { return "no faults in \(place): \(report.notes) notes, \(report.revisions) revisions" }
        return "no faults in the file of \(place); the notes were not checked"
    }

    /// A line that states how many revisions of other machines the store holds apart from its notes; nil for
    /// none.
    func heldSummary(in place: String) -> String? {
        guard let count = report?.heldRevisions, count > 0 else { return nil }
        return "\(place) holds \(count == 1 ? "1 revision" : "\(count) revisions") of other machines that no note contains; "
            + "`notesctl audit` lists them"
    }

    /// The text with control characters replaced by spaces, so that it cannot control a terminal.
    private static func plain(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) ? " " : Character($0) })
    }
}

/// Progress on standard error, if that is a terminal.
private enum Terminal {
    /// Replaces the current line.
    static func show(_ text: String) {
        if isatty(STDERR_FILENO) == 1 { Output.write("\r\u{1B}[K\(text)", to: STDERR_FILENO) }
    }

    /// Empties the current line.
    static func clear() {
        show("")
    }
}
