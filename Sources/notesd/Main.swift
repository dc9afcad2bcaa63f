import ArgumentParser
import Glibc

@main
enum Main {
    static func main() async {
        do {
            try await run(try options())
        } catch {
            say("notesd: \(error.message)", to: STDERR_FILENO)
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

    private static func run(_ options: Options) async throws(Failure) {
        let resolution = try Resolution(options: options, environment: .ofThisProcess(), readFile: Files.read)
        if options.checkConfig {
            let verdict = resolution.config.map { "\($0) is right" } ?? "there is no configuration file; the defaults hold"
            say(verdict, to: STDOUT_FILENO)
        } else {
            try await Daemon.run(resolution)
        }
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
