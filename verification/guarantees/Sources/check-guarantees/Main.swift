import ArgumentParser
import Foundation
import Glibc
import GuaranteeChecker

/// `check-guarantees`: runs a workload against a daemon, or reads a recorded one, and reports
/// whether the guarantees of the protocol held.
@main
struct CheckGuarantees: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-guarantees",
        abstract: "Check whether a daemon keeps the guarantees of its protocol.",
        discussion: """
            Examples:
              check-guarantees --socket /run/user/1000/notesd/notesd.sock
              check-guarantees --socket PATH --seconds 600 --record history.txt
              check-guarantees --socket PATH --disturb 'systemctl --user kill -s KILL notesd'
              check-guarantees --socket PATH --replace ./restore-a-backup
              check-guarantees --history history.txt --only G2,G6

            Writes, reads and watches over many connections at once, records every line that it sends and receives, and checks \
            the record against section 7 of docs/protocol.md and nothing else. Prints one line for each guarantee: kept, BROKEN \
            or not judged, and the number of observations. The shortest part of the record that shows a fault follows it. The \
            exit code is 1 if a guarantee is broken.

            Creates its own notes (named prove-... or unnamed), changes no others, and deletes them at the end.

            G1 and half of G3 can be checked only if the daemon is killed and restarted during the run; --disturb names a \
            command that does so. --replace names a command that backs the store up and restores the backup. This program cannot \
            check power loss, nor whether two stores agree.
            """)

    @Option(help: "The daemon's socket. Default: NOTESD_SOCKET.")
    var socket: String?

    @Option(help: "The seed of the workload. The same seed generates the same workload.")
    var seed: UInt64?

    @Option(help: "Repeat the workload, with the next seed each time, for this many seconds.")
    var seconds: Int?

    @Option(help: "Number of writes in one workload.")
    var writes = 1_500

    @Option(help: "Number of connections that write at the same time, 1 to 64.")
    var clients = 6

    @Option(help: "The guarantees to check, such as G1,G4. Default: all.")
    var only: String?

    @Option(
        help: ArgumentHelp(
            "A shell command to run from time to time. It may kill and restart the daemon, and must exit with 0.",
            valueName: "command"))
    var disturb: String?

    @Option(
        help: ArgumentHelp(
            "A shell command to run once in each workload, while no request is unanswered. It may replace the store by a backup "
                + "that it makes first, and must exit with 0.",
            valueName: "command"))
    var replace: String?

    @Option(help: "Seconds to wait for a line from the daemon before a response counts as lost.")
    var timeout = 30

    @Option(help: ArgumentHelp("Record all lines that are sent and received in this file.", valueName: "file"))
    var record: String?

    @Option(help: ArgumentHelp("Check a recorded file instead of a daemon.", valueName: "file"))
    var history: String?

    @Flag(help: "Print JSON, one object per line.")
    var json = false

    func validate() throws {
        guard writes > 0, (1...64).contains(clients), timeout > 0 else {
            throw ValidationError("--writes and --timeout must be at least 1, and --clients 1 to 64")
        }
    }

    func run() throws {
        var report = Report(only: try guarantees())
        if let history {
            report.check(try read(history))
        } else {
            try check(&report)
        }
        for line in report.lines { print(json ? line.json : line.text) }
        if report.isBroken { throw ExitCode.failure }
    }

    /// Parses `--only`.
    private func guarantees() throws -> Set<Guarantee> {
        guard let only else { return Set(Guarantee.allCases) }
        return Set(
            try only.split(separator: ",").map { word in
                guard let guarantee = Guarantee(rawValue: word.uppercased()) else {
                    throw ValidationError("unknown guarantee \(word); the guarantees are G1 to G10")
                }
                return guarantee
            })
    }

    /// Runs workloads until the time is over or a guarantee is broken. Checks each record by
    /// itself, so that none grows without end.
    private func check(_ report: inout Report) throws {
        guard let path = socket ?? ProcessInfo.processInfo.environment["NOTESD_SOCKET"] else {
            throw ValidationError("no socket: use --socket PATH or set NOTESD_SOCKET")
        }
        let seed = seed ?? UInt64.random(in: 1...999_999)
        let start = ContinuousClock.now
        var load: UInt64 = 0
        repeat {
            var options = Workload.Options(socketPath: path, seed: seed &+ load, nonce: UInt64.random(in: .min ... .max))
            (options.writes, options.writers, options.timeout) = (writes, clients, timeout)
            options.disturb = disturb.map { Nemesis($0, of: "--disturb") }
            options.replace = replace.map { Nemesis($0, of: "--replace") }
            let workload = Workload(options)
            if load == 0 { warn("seed \(seed); the notes are under \(workload.prefix)") }
            do {
                _ = try workload.run()
            } catch let fault as WorkloadFault {
                try write(workload.history)
                throw Failure("cannot check: \(fault.words); see `notesctl status`")
            } catch {
                try write(workload.history)
                try? workload.cleanUp()
                throw error
            }
            try write(workload.history)
            report.check(workload.history)
            try? workload.cleanUp()
            load += 1
        } while !report.isBroken && seconds.map { ContinuousClock.now - start < .seconds($0) } ?? false
    }

    private func warn(_ text: String) {
        FileHandle.standardError.write(Data("check-guarantees: \(text)\n".utf8))
    }

    /// Writes the record of the last workload. A workload that breaks a guarantee is the last one.
    private func write(_ history: History) throws {
        guard let record else { return }
        // Readable by the user alone: the record holds the texts of notes.
        let isWritten = FileManager.default.createFile(
            atPath: record, contents: Data(history.text), attributes: [.posixPermissions: 0o600])
        guard isWritten else { throw Failure("cannot write \(record)") }
    }

    private func read(_ path: String) throws -> History {
        let text = try Data(contentsOf: URL(fileURLWithPath: path))
        do {
            return try History(parsing: [UInt8](text))
        } catch {
            throw Failure("line \(error.line) of \(path) is not a line of a record; use a file that --record wrote")
        }
    }
}

/// A sentence that ends the program with exit code 1.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// A shell command that disturbs the daemon.
///
/// It is spawned directly: `Process` counts a command as running while any program that it started is
/// alive, and this one starts the next daemon.
private final class Nemesis: Workload.Disturbance {
    private let command: String
    private let option: String
    private var process: pid_t?

    init(_ command: String, of option: String) {
        self.command = command
        self.option = option
    }

    func start() throws {
        var arguments = ["sh", "-c", command].map { (word: String) in strdup(word) }
        defer { for argument in arguments { free(argument) } }
        arguments.append(nil)
        var process = pid_t()
        guard posix_spawn(&process, "/bin/sh", nil, nil, arguments, environ) == 0 else {
            throw Failure("cannot run /bin/sh for \(option)")
        }
        self.process = process
    }

    func isRunning() throws -> Bool {
        guard let process else { return false }
        var status: Int32 = 0
        guard waitpid(process, &status, WNOHANG) == process else { return true }
        guard status == 0 else { throw Failure("the command of \(option) failed; it must end with 0") }
        self.process = nil
        return false
    }
}

extension Report.Line {
    /// The result of one guarantee as a JSON object, with the histories of its faults.
    var json: String {
        let faults = faults.map { fault, history in
            let events = history.events.map { quoted($0.text) }
            return #"{"text":\#(quoted(fault.words)),"history":[\#(events.joined(separator: ","))]}"#
        }
        let members = [
            ("guarantee", quoted(guarantee.rawValue)), ("name", quoted(guarantee.words)), ("result", quoted(result.rawValue)),
            ("observations", "\(observations)"), ("text", quoted(words)), ("faults", "[\(faults.joined(separator: ","))]"),
        ]
        return "{\(members.map { "\(quoted($0)):\($1)" }.joined(separator: ","))}"
    }

    /// The result of one guarantee as text: a line, then each fault and the lines of its history,
    /// indented.
    var text: String {
        let name = "\(guarantee.rawValue) \(guarantee.words)".padding(toLength: 27, withPad: " ", startingAt: 0)
        var lines = ["\(result.rawValue.padding(toLength: 10, withPad: " ", startingAt: 0))  \(name)  \(words)"]
        for (fault, history) in faults {
            lines.append("    " + fault.words)
            lines += history.events.map { "      " + Self.short($0.text) }
        }
        if faultsCount > faults.count { lines.append("    and \(faultsCount - faults.count) more") }
        return lines.joined(separator: "\n")
    }

    /// Length to which lines of a history are cut in text, in bytes.
    private static let lineBytesMax = 400

    private static func short(_ line: [UInt8]) -> String {
        let text = String(decoding: line.prefix(lineBytesMax), as: UTF8.self)
        return line.count > lineBytesMax ? text + "…" : text
    }
}
