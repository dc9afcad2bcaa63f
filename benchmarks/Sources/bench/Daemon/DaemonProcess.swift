import Foundation
import Glibc

/// The daemon as a separate process with its own store.
final class DaemonProcess {
    let socket: String
    let data: String
    private let log: String
    /// Kept as long as the daemon, because it contains the log.
    private let scratch: Scratch
    private let child: Child
    private var isStopped = false
    /// Seconds from the start of the process to its first response.
    let secondsToFirstAnswer: Double

    var pid: pid_t { child.pid }

    /// Starts the daemon, and returns after the responses to a hello and to the next request.
    ///
    /// - Parameters:
    ///   - scratch: Directory of the store, the socket and the log; an existing store is continued.
    ///   - settings: Contents of the configuration file.
    init(program: String, in scratch: Scratch, settings: String = "") throws(Failure) {
        socket = "\(scratch.path)/socket/notesd.sock"
        data = "\(scratch.path)/store"
        log = "\(scratch.path)/log"
        self.scratch = scratch
        let config = "\(scratch.path)/notesd.toml"
        guard FileManager.default.createFile(atPath: config, contents: Data(settings.utf8)) else {
            throw Failure("\(config) cannot be written")
        }
        let start = seconds()
        child = try Child(
            [program, "--config", config, "--socket", socket, "--data", data],
            environment: ["HOME=\(scratch.path)", "PATH=/usr/bin:/bin"], output: log)
        do throws(Failure) {
            try Self.awaitAnswer(at: socket, of: child)
        } catch {
            let said = (try? ProcessFacts.text(log))?.suffix(2_000) ?? ""
            throw Failure("\(program) did not start: \(error)\n\(said)")
        }
        secondsToFirstAnswer = seconds() - start
    }

    /// Prints the log of a daemon that was not stopped: something failed, and the log goes away
    /// with its directory.
    deinit {
        guard !isStopped else { return }
        let end = child.hasEnded ? "ended with \(child.wait())" : "was still running"
        let said = (try? ProcessFacts.text(log))?.suffix(2_000) ?? ""
        FileHandle.standardError.write(Data("bench: the daemon \(end); its log:\n\(said)\n".utf8))
    }

    private static func awaitAnswer(at path: String, of child: Child) throws(Failure) {
        let limit = seconds() + 60
        while seconds() < limit {
            let descriptor = try Descriptor.stream()
            if try descriptor.connects(to: path) {
                let client = try Client(descriptor)
                _ = try client.call(.listNotes(limit: 1))
                return
            }
            if child.hasEnded { throw Failure("it ended with \(child.wait())") }
            pause(seconds: 0.0002)
        }
        throw Failure("nothing listens on \(path)")
    }

    /// The daemon's socket, for use on any thread.
    struct Address: Sendable {
        let socket: String

        func client(positionEncoding: String = "utf-8", label: String? = nil) throws(Failure) -> Client {
            let descriptor = try Descriptor.stream()
            guard try descriptor.connects(to: socket) else { throw Failure("the daemon on \(socket) is gone") }
            return try Client(descriptor, positionEncoding: positionEncoding, label: label)
        }
    }

    var address: Address { Address(socket: socket) }

    func client(positionEncoding: String = "utf-8", label: String? = nil) throws(Failure) -> Client {
        try address.client(positionEncoding: positionEncoding, label: label)
    }

    /// Sends SIGTERM. Returns the seconds until the daemon has ended, or nil if `secondsMax` was not
    /// enough and SIGKILL ended it. Throws if it ended with an error.
    func secondsToStop(secondsMax: Double) throws(Failure) -> Double? {
        isStopped = true
        let start = seconds()
        let code = child.end(secondsMax: secondsMax)
        if code == 128 + SIGKILL { return nil }
        guard code == 0 else { throw Failure("the daemon ended with \(code):\n\(try ProcessFacts.text(log).suffix(2_000))") }
        return seconds() - start
    }

    /// Stops the daemon as an operator would, and returns the store's size on disk in bytes.
    @discardableResult
    func stop() throws(Failure) -> Int {
        // Keeps the directory until the size is known.
        defer { withExtendedLifetime(self) {} }
        isStopped = true
        // The daemon serves requests shortly before it handles signals, and then logs its first
        // line.
        let limit = seconds() + 20
        while try ProcessFacts.text(log).isEmpty, seconds() < limit { pause(seconds: 0.002) }
        let code = child.end()
        guard code == 0 else { throw Failure("the daemon ended with \(code):\n\(try ProcessFacts.text(log).suffix(2_000))") }
        return Scratch.bytes(below: data)
    }
}
