import Foundation
import Testing

/// A program on a real terminal, as `tmux` draws it.
///
///     try await Tmux.run("notesctl list", columns: 80, rows: 24, environment: [:]) { terminal in
///         let screen = try await terminal.screen { $0.contains("[0]") }
///     }
struct Tmux: Sendable {
    private let scratch: Scratch
    private let environment: [String: String]

    static let program = "/usr/bin/tmux"

    /// - Parameters:
    ///   - command: a shell command. Its exit status is printed after its output, as `[0]`.
    static func run<Result>(
        _ command: String, columns: Int, rows: Int, environment: [String: String], _ body: (Tmux) async throws -> Result
    ) async throws -> Result {
        let scratch = try Scratch()
        let inherited = [
            "PATH": "/usr/bin:/bin", "HOME": scratch.path, "LC_ALL": "C.UTF-8", "TMUX_TMPDIR": scratch.path, "TZ": "UTC",
        ]
        let terminal = Tmux(scratch: scratch, environment: inherited.merging(environment) { $1 })
        let config = try scratch.write("set -g status off\nset -g default-terminal screen-256color\n", to: "tmux.conf")
        // Ctrl-C goes to the command. The session ends after ten minutes at the latest.
        let line = "trap : INT; \(command); printf '[%s]' $?; exec sleep 600"
        let started = try await terminal.tmux(
            ["-u", "-f", config, "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "/bin/sh", "-c", line])
        try #require(started.end == .exited(0), "\(started.errors)")
        do {
            let result = try await body(terminal)
            let ended = try await terminal.tmux(["kill-server"])
            try #require(ended.end == .exited(0), "\(ended.errors)")
            return result
        } catch {
            _ = try? await terminal.tmux(["kill-server"])
            throw error
        }
    }

    @discardableResult
    private func tmux(_ arguments: [String]) async throws -> Command {
        try await Command.run(Self.program, ["-S", scratch.file("socket")] + arguments, environment: environment)
    }

    /// The screen once it satisfies a condition; lines lack trailing spaces.
    ///
    /// - Parameter isPainted: whether the screen includes the escape sequences for styles.
    func screen(
        isPainted: Bool = false, at place: SourceLocation = #_sourceLocation, until isRequired: (String) -> Bool
    ) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(Patience.seconds)
        while true {
            let screen = try await isPainted ? paintedScreen() : tmux(["capture-pane", "-p"]).text
            if isRequired(screen) { return screen }
            guard ContinuousClock.now < deadline else {
                Issue.record("the screen never matched:\n\(screen)", sourceLocation: place)
                throw TimedOut(what: "the screen", seconds: Patience.seconds)
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// The screen with its escape sequences for styles.
    func paintedScreen() async throws -> String { try await tmux(["capture-pane", "-p", "-e"]).text }

    /// Types literal text.
    func type(_ text: String) async throws { try await tmux(["send-keys", "-l", "--", text]) }

    /// Presses a key by name: `Enter`, `Tab`, `C-c`.
    func press(_ key: String) async throws { try await tmux(["send-keys", key]) }

    func resize(columns: Int, rows: Int) async throws {
        try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
    }
}

/// Programs that some tests need but not every machine has.
enum Tools {
    static func has(_ name: String) -> Bool { access("/usr/bin/\(name)", X_OK) == 0 }

    static func missing(_ names: String...) -> Comment {
        "\(names.joined(separator: " or ")) is missing; `scripts/dependencies test` installs it"
    }
}
