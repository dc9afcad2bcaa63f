import TestKit
import Testing

@testable import NotesServer
@testable import notesd

/// Parsing of the configuration file. Errors name the file, the line or key, and a similar key if
/// one is near.
@Suite struct SettingsFileTests {
    private func read(_ text: String) throws(ExitFailure) -> Settings {
        try read(Array(text.utf8))
    }

    private func read(_ bytes: [UInt8]) throws(ExitFailure) -> Settings {
        var layers = SettingLayers()
        try SettingsFile.read(bytes, at: "/etc/notesd.toml", into: &layers)
        try layers.check()
        return layers.settings
    }

    private func message(of text: String) -> String? {
        #expect(throws: ExitFailure.self) { try read(text) }?.message
    }

    @Test func everySetting_isRead() throws {
        let settings = try read(
            """
            socket = "/run/s"
            data = "/srv/d"
            threads = 3
            [log]
            level = "debug"
            [limits]
            note_bytes_max = 2048
            line_bytes_max = 70000
            depth_max = 20
            in_flight_max = 2
            response_bytes_max = 70001
            outbox_bytes_max = 70002
            watches_max = 4
            hello_seconds_max = 5
            connections_max = 6
            [cache]
            bytes_max = 2_000_000
            """)
        var expected = Settings(socket: "/run/s", data: "/srv/d", threads: 3, logLevel: "debug")
        expected.limits.noteBytesMax = 2_048
        expected.limits.lineBytesMax = 70_000
        expected.limits.depthMax = 20
        expected.limits.inFlightMax = 2
        expected.limits.responseBytesMax = 70_001
        expected.limits.outboxBytesMax = 70_002
        expected.limits.watchesMax = 4
        expected.limits.helloSecondsMax = 5
        expected.limits.connectionsMax = 6
        expected.limits.cacheBytesMax = 2_000_000
        #expect(settings == expected)
    }

    @Test func emptyFile_changesNothing() throws {
        #expect(try read("") == Settings())
        #expect(try read("# nothing\n[limits]\n") == Settings())
    }

    @Test(arguments: [
        ("limits.note_byte_max = 1\n", "limits.note_byte_max: unknown setting; did you mean limits.note_bytes_max?"),
        ("[limits]\ndepth = 1\n", "limits.depth: unknown setting; did you mean limits.depth_max?"),
        ("sockets = \"/s\"\n", "sockets: unknown setting; did you mean socket?"),
        ("colour = \"red\"\n", "colour: unknown setting"),
        ("[nothing_like_it]\nx = 1\n", "nothing_like_it: unknown setting"),
        ("[socket]\nx = 1\n", "socket: must be a string, but is a table"),
        ("limits = 3\n", "limits: must be a table, but is an integer"),
        ("data = 3\n", "data: must be a string, but is an integer"),
        ("data = \"notes\"\n", "data: must be an absolute path, but is \"notes\" (variables are not expanded)"),
        ("limits.depth_max = \"deep\"\n", "limits.depth_max: must be an integer from 16 to 256 levels, but is a string"),
        (
            "limits.depth_max = 32.5\n",
            "limits.depth_max: must be an integer from 16 to 256 levels, but is a number with a fraction"
        ),
        ("limits.depth_max = 15\n", "limits.depth_max: must be from 16 to 256 levels, but is 15"),
        ("limits.depth_max = 257\n", "limits.depth_max: must be from 16 to 256 levels, but is 257"),
        ("limits.hello_seconds_max = -1\n", "limits.hello_seconds_max: must be from 1 to 3600 seconds, but is -1"),
        (
            "log.level = \"inof\"\n",
            "log.level: must be one of trace, debug, info, notice, warning, error, critical, but is \"inof\"; "
                + "did you mean \"info\"?"
        ),
        (
            "limits.line_bytes_max = 65536\n",
            "limits.line_bytes_max: must be greater than limits.note_bytes_max (4194304 bytes), "
                + "but is 65536 bytes: a request contains a whole text"
        ),
    ])
    func fault_isReportedWithFileAndKey(text: String, expected: String) {
        #expect(message(of: text) == "/etc/notesd.toml: " + expected)
    }

    @Test func syntaxError_isReportedWithLineAndColumn() {
        let message = message(of: "threads = 1\n\n[limits\ndepth_max = 3\n")
        #expect(message?.hasPrefix("/etc/notesd.toml:3:8: ") == true, "\(message ?? "no error")")
        #expect(message?.contains("\n") == false)
        let twice = self.message(of: "threads = 1\nthreads = 2\n")
        #expect(twice?.hasPrefix("/etc/notesd.toml:2:") == true, "\(twice ?? "no error")")
    }

    @Test func nonUTF8Bytes_areReportedWithLine() {
        let zero = #expect(throws: ExitFailure.self) { try read("threads = 1\ndata = \"/a\0b\"\n") }
        #expect(zero?.message == "/etc/notesd.toml:2: not UTF-8 text")
        let latin = #expect(throws: ExitFailure.self) { try read(Array("# caf".utf8) + [0xE9, 0x0A]) }
        #expect(latin?.message == "/etc/notesd.toml:1: not UTF-8 text")
    }

    @Test func keyWithNULEscape_isRefused() {
        #expect(throws: ExitFailure.self) { try read("\"threads\\u0000x\" = 1\n") }
    }
}
