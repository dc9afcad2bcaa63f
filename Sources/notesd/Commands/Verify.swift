import ArgumentParser
import Glibc
import Logging
import NotesEngine
import NotesModel
import NotesStore

/// `notesd verify`.
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Look through a store that no daemon has.",
        usage: "notesd verify --data <dir> [--quick]",
        discussion: """
            It reads the whole store, has SQLite check its file, works out every note anew and compares that with what would be \
            shown. What is not as it should be is printed, one line each. The store stays as it is. While a daemon serves it, \
            use `notesctl audit`.

            Exit codes: 0 all is well, 64 wrong usage, 65 faults were found or it is no store that this program can read, 73 the \
            directory cannot be read, 74 reading failed, 75 a daemon has the store.

            Examples:
              notesd verify --data ~/.local/share/notesd
              notesd verify --data /mnt/backup/notesd --quick
            """)

    @Option(help: ArgumentHelp("The directory of the store.", valueName: "dir"))
    var data: String

    @Flag(help: "Only have SQLite look over its file.")
    var quick = false

    func carryOut() throws(ExitFailure) {
        do throws(StoreError) {
            let store = try OfflineStore(directory: data)
            let inspection = try Inspection(store, isQuick: quick)
            for line in inspection.faults { Main.say(line, to: STDOUT_FILENO) }
            try inspection.demandNoFaults(in: data)
            Main.say(inspection.verdict(on: data), to: STDOUT_FILENO)
        } catch {
            throw ExitFailure(error)
        }
    }
}

/// What is found in a store that is looked through.
struct Inspection {
    /// A line each.
    private(set) var faults: [String] = []
    private var report: AuditReport?
    private var isOlder = false

    /// - Parameter isQuick: leaves out the notes, and whether indexes agree with tables.
    init(_ store: OfflineStore, isQuick: Bool) throws(StoreError) {
        Terminal.show("checking the file")
        defer { Terminal.clear() }
        faults = try store.faults(isQuick: isQuick).map { "store  " + Self.plain($0) }
        isOlder = !store.isNewest
        // In tables that are wrong, every note may be.
        guard !isQuick, !isOlder, faults.isEmpty else { return }
        var logger = Logger(label: "notesd")
        logger.logLevel = .error
        let journal = try store.journal(logger: logger)
        do throws(JournalError) {
            let report = try OfflineAudit.run(journal) { done, total in
                if done % 100 == 0 { Terminal.show("audited \(done) of \(total)") }
            }
            self.report = report
            faults = report.findings.map { finding in
                [finding.note.map { "\($0)" } ?? "store", finding.dot.map { "\($0)" }, Self.plain(finding.what)]
                    .compactMap { $0 }.joined(separator: "  ")
            }
        } catch { throw .journal(error) }
    }

    func demandNoFaults(in place: String) throws(StoreError) {
        guard !faults.isEmpty else { return }
        let count = faults.count == 1 ? "1 fault" : "\(faults.count) faults"
        throw .backup(report == nil ? "\(count) in the file of \(place)" : "\(count) in the notes of \(place), none in its file")
    }

    func verdict(on place: String) -> String {
        if let report { return "all is well in \(place): \(report.notes) notes, \(report.revisions) revisions" }
        if isOlder {
            return
                "the file of \(place) is well; its tables are an older notesd's, and its notes can be looked through once this one ran"
        }
        return "the file of \(place) is well; its notes were not looked through"
    }

    /// Without what would be a command to a terminal.
    private static func plain(_ text: String) -> String {
        String(text.unicodeScalars.map { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) ? " " : Character($0) })
    }
}

/// How far something is, on a terminal only.
private enum Terminal {
    static func show(_ text: String) {
        if isatty(STDERR_FILENO) == 1 { Main.write("\r\u{1B}[K\(text)", to: STDERR_FILENO) }
    }

    static func clear() {
        show("")
    }
}
