import Foundation
import NoteText
import NotesClient
import NotesModel
import Synchronization
import Testing

/// A `notesd` for one test. Its socket, store and configuration are in a directory that is removed
/// after the test.
final class DaemonProcess: Sendable {
    let scratch: Scratch
    let socket: String
    let data: String
    private let config: String
    private let wrapper: [String]
    private let running = Mutex<ChildProcess?>(nil)

    /// - Parameters:
    ///   - config: TOML.
    ///   - data: the store's directory; nil for one beside the socket.
    ///   - wrapper: a program and its options, which execs the daemon's command.
    init(config: String = "", data: String? = nil, under wrapper: [String] = []) throws {
        self.wrapper = wrapper
        scratch = try Scratch()
        socket = scratch.file("run/d.sock")
        self.data = data ?? scratch.file("data")
        self.config = try scratch.write(config, to: "notesd.toml")
        try Files.write([], to: errorsPath)
    }

    /// Runs with a daemon that is ready, and always ends it. If the test fails, prints the daemon's
    /// standard error.
    static func run<Result>(
        config: String = "", data: String? = nil, under wrapper: [String] = [], _ body: (DaemonProcess) async throws -> Result
    ) async throws -> Result {
        let daemon = try DaemonProcess(config: config, data: data, under: wrapper)
        do {
            try await daemon.start()
            let result = try await body(daemon)
            _ = try await daemon.end(SIGKILL)
            return result
        } catch {
            let wasRunning = daemon.isRunning
            let end = try? await daemon.end(SIGKILL)
            let life = wasRunning ? "was running" : "had ended by itself (\(end.map { "\($0)" } ?? "never started"))"
            Issue.record("the daemon \(life), and said: \(daemon.complaints.prefix(4_000))")
            throw error
        }
    }

    // MARK: Life

    var arguments: [String] { ["--socket", socket, "--data", data, "--config", config] }

    /// Returns once the daemon reports on standard output that it listens.
    func start() async throws {
        let ends = UnixPipe.ends()
        let errors = try FileHandle(forWritingTo: URL(fileURLWithPath: errorsPath))
        try errors.seekToEnd()
        let command = wrapper + [Binaries.notesd] + arguments
        let process = try ChildProcess(
            command[0], Array(command.dropFirst()), environment: ["PATH": "/usr/bin:/bin", "HOME": scratch.path],
            output: ends.writing,
            errors: errors.fileDescriptor)
        close(ends.writing)
        running.withLock { $0 = process }
        let output = LineReader(ends.reading)
        while let line = try await output.line("the daemon's word that it listens") {
            if line.hasPrefix("try: ") { return }
        }
        throw RawConnection.Ended(what: "the daemon ended before it listened")
    }

    /// Sends a signal and waits for the end.
    @discardableResult
    func end(_ signal: Int32) async throws -> ChildProcess.End? {
        guard let process = running.withLock({ $0 }) else { return nil }
        process.send(signal)
        let end = try await process.end()
        running.withLock { $0 = nil }
        return end
    }

    /// Sends a signal without waiting.
    func signal(_ signal: Int32) {
        running.withLock { $0 }?.send(signal)
    }

    func restart(after signal: Int32) async throws {
        try await end(signal)
        try await start()
    }

    // MARK: Inspection

    var pid: Int32? { running.withLock { $0?.pid } }

    var isRunning: Bool { running.withLock { $0?.isRunning ?? false } }

    /// The standard error of all of the daemon's runs.
    var complaints: String {
        (try? String(decoding: Files.read(errorsPath), as: UTF8.self)) ?? ""
    }

    private var errorsPath: String { scratch.file("stderr") }

    /// Resident memory now, in bytes.
    func residentBytes() throws -> Int { try bytes(of: "VmRSS:") }

    /// Peak resident memory of this run, in bytes.
    func peakResidentBytes() throws -> Int { try bytes(of: "VmHWM:") }

    private func bytes(of name: String) throws -> Int {
        guard let pid = running.withLock({ $0?.pid }) else { return 0 }
        let status = String(decoding: try Files.read("/proc/\(pid)/status"), as: UTF8.self)
        let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
        guard let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Int($0) }) else {
            throw RawConnection.Ended(what: "no \(name) in /proc/\(pid)/status")
        }
        return kilobytes * 1_024
    }

    // MARK: Clients

    func client(
        _ label: ByteString, encodings: [PositionEncoding] = [.utf8], configure: (inout ClientOptions) -> Void = { _ in }
    ) async throws -> NotesClient {
        var options = ClientOptions(socketPath: socket, name: "end-to-end", version: "1", label: label)
        options.positionEncodings = encodings
        options.helloTimeout = .seconds(Patience.seconds)
        configure(&options)
        return try await NotesClient.connect(options)
    }

    func notesctl(
        _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:]
    ) async throws -> Command {
        try await Command.run(
            Binaries.notesctl, arguments, input: input, environment: ["NOTESD_SOCKET": socket].merging(environment) { $1 })
    }

    func notesctl(_ arguments: String..., input: String = "") async throws -> Command {
        try await notesctl(arguments, input: Array(input.utf8))
    }
}
