import ArgumentParser
import Glibc
import Logging

@main
enum Main {
    static func main() async {
        let environment = Environment.ofThisProcess()
        let log = DaemonLog(environment: environment, level: .info)
        do {
            try await run(try options(), environment, log)
        } catch {
            if log.isJournal {
                log.logger.critical("\(error.message)", metadata: ["event": "failed", "exit-code": "\(error.code.rawValue)"])
            } else {
                say("notesd: \(error.message)", to: STDERR_FILENO)
            }
            exit(error.code.rawValue)
        }
    }

    /// Ends the process itself for `--help` and `--version`.
    private static func options() throws(Failure) -> Options {
        do {
            return try Notesd.parse().options
        } catch {
            guard Notesd.exitCode(for: error) != .success else { Notesd.exit(withError: error) }
            throw Failure("\(Notesd.message(for: error)); `notesd --help` says more", .usage)
        }
    }

    private static func run(_ options: Options, _ environment: Environment, _ log: DaemonLog) async throws(Failure) {
        if options.checkConfig {
            try checkConfig(options, environment, log)
        } else {
            try await Daemon(options: options, environment: environment, log: log).run()
        }
    }

    private static func checkConfig(_ options: Options, _ environment: Environment, _ log: DaemonLog) throws(Failure) {
        let resolution = try Resolution(options: options, environment: environment, reading: .files)
        _ = resolution.accessRules(log.logger)
        let read = resolution.dropIns + [resolution.config].compactMap(\.self)
        let verdict =
            read.isEmpty
            ? "there is no configuration file; the defaults hold"
            : "\(read.joined(separator: ", ")) \(read.count == 1 ? "is" : "are") right"
        say(verdict, to: STDOUT_FILENO)
    }

    static func say(_ line: String, to descriptor: Int32) {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
