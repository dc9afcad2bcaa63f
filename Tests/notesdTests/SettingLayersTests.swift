import ArgumentParser
import Testing

@testable import NotesServer
@testable import notesd

/// Precedence of the layers, and the source that each value reports.
@Suite struct SettingLayersTests {
    private let home = ["XDG_RUNTIME_DIR": "/run/user/1", "HOME": "/home/ada"]

    private func resolve(
        _ arguments: [String] = [], _ variables: [String: String] = [:], files: [String: String] = [:]
    ) throws -> Resolution {
        try Resolution(
            options: try Options.parse(arguments), environment: Environment(variables: home.merging(variables) { $1 }),
            reading: Resolution.Reading(
                file: { path throws(ExitFailure) in files[path].map { Array($0.utf8) } },
                directory: { directory throws(ExitFailure) in
                    files.keys.filter { $0.hasPrefix(directory + "/") }.map { String($0.dropFirst(directory.count + 1)) }
                }))
    }

    private func setting(_ key: String) throws -> Setting {
        try #require(Setting.all.first { $0.key == key })
    }

    /// Adds the layers one by one, from the lowest to the highest.
    @Test func laterLayers_override_andNameTheirSource() throws {
        let directory = "/home/ada/.config/notesd"
        let depth = try setting("limits.depth_max")
        var files: [String: String] = [:]
        var variables: [String: String] = [:]
        func holds(_ value: Int, _ source: String, _ arguments: [String] = []) throws {
            let resolution = try resolve(arguments, variables, files: files)
            #expect(resolution.settings.limits.depthMax == value)
            #expect(resolution.layers.source(of: depth).description == source)
        }
        try holds(32, "default")
        files[directory + "/conf.d/10-first.toml"] = "limits.depth_max = 20"
        try holds(20, directory + "/conf.d/10-first.toml")
        files[directory + "/conf.d/20-second.toml"] = "limits.depth_max = 21"
        try holds(21, directory + "/conf.d/20-second.toml")
        files[directory + "/conf.d/15-between.toml"] = "limits.depth_max = 99"
        try holds(21, directory + "/conf.d/20-second.toml")
        files[directory + "/notesd.toml"] = "limits.depth_max = 22"
        try holds(22, directory + "/notesd.toml")
        variables["NOTESD_LIMITS_DEPTH_MAX"] = "23"
        try holds(23, "environment NOTESD_LIMITS_DEPTH_MAX")
        try holds(24, "option --set limits.depth_max", ["--set", "limits.depth_max=24"])
        try holds(25, "option --set limits.depth_max", ["--set", "limits.depth_max=24", "--set", "limits.depth_max=25"])
    }

    @Test func dropIns_endInTOML_besideTheFile() throws {
        let files = [
            "/etc/n/c.toml": "", "/etc/n/conf.d/a.toml": "threads = 1", "/etc/n/conf.d/b.toml.old": "threads = 2",
            "/etc/n/conf.d/.c.toml": "threads = 3", "/home/ada/.config/notesd/conf.d/d.toml": "threads = 4",
        ]
        let resolution = try resolve(["--config", "/etc/n/c.toml"], files: files)
        #expect(resolution.settings.threads == 1)
        #expect(resolution.dropIns == ["/etc/n/conf.d/a.toml"])
        let fault = #expect(throws: ExitFailure.self) {
            try resolve(["--config", "/etc/n/c.toml"], files: files.merging(["/etc/n/conf.d/z.toml": "thread = 1"]) { $1 })
        }
        #expect(fault?.message == "/etc/n/conf.d/z.toml: thread: unknown setting; did you mean threads?")
    }

    @Test func everySetting_hasAVariable() throws {
        #expect(try resolve([], ["NOTESD_LOG_LEVEL": "debug"]).settings.logLevel == "debug")
        #expect(try resolve([], ["NOTESD_HISTORY_KEEP_DAYS": "7"]).settings.historyKeepDays == 7)
        #expect(try resolve([], ["NOTESD_ACCESS_WRITE": "ada, @staff,12"]).settings.access.write == ["ada", "@staff", "12"])
        #expect(try resolve([], ["NOTESD_LOG_LEVEL": ""]).settings.logLevel == "info", "an empty one says nothing")
        #expect(Set(Setting.all.map(\.variable)).count == Setting.all.count)
    }

    @Test(arguments: [
        ("NOTESD_LOG_LEVEL", "loud", "must be one of trace, debug"), ("NOTESD_THREADS", "two", "must be an integer"),
        ("NOTESD_LIMITS_DEPTH_MAX", "1", "limits.depth_max: must be from 16 to 256 levels, but is 1"),
        ("NOTESD_LIMITS_DEPHT_MAX", "20", "unknown setting; did you mean NOTESD_LIMITS_DEPTH_MAX?"),
        ("NOTESD_ACCESS_READ", "a b", "must be a user"),
    ])
    func invalidVariable_isReportedByName(name: String, value: String, expected: String) {
        let fault = #expect(throws: ExitFailure.self) { try resolve([], [name: value]) }
        #expect(fault?.message.hasPrefix("\(name): ") == true, "\(fault?.message ?? "")")
        #expect(fault?.message.contains(expected) == true, "\(fault?.message ?? "")")
        #expect(fault?.code == .configuration)
    }

    @Test func foreignVariables_areIgnored() throws {
        #expect(try resolve([], ["NOTESD_SEED": "1", "NOTESD_BIN_DIR": "/x"]).layers.sources.isEmpty)
    }

    @Test(arguments: [
        ("limits.depth_max", "must be KEY=VALUE"), ("limits.depht_max=20", "did you mean limits.depth_max?"),
        ("limits.depth_max=deep", "must be an integer"), ("=1", "unknown setting"),
    ])
    func wrongAssignment_isUsage(assignment: String, expected: String) {
        let fault = #expect(throws: ExitFailure.self) { try resolve(["--set", assignment]) }
        #expect(fault?.message.contains(expected) == true, "\(fault?.message ?? "")")
        #expect(fault?.code == .usage)
    }

    @Test func combinedLayers_areValidatedTogether() throws {
        let files = ["/c.toml": "limits.note_bytes_max = 40_000_000\n"]
        #expect(throws: ExitFailure.self) { try resolve(["--config", "/c.toml"], files: files) }
        _ = try resolve(["--config", "/c.toml", "--set", "limits.line_bytes_max=80000000"], files: files)
    }

    /// The literals that the daemon reports for settings are valid in the configuration file.
    @Test func literals_roundTrip() throws {
        let resolution = try resolve(
            [
                "--set", "access.admin=@adm,ada", "--set", "log.level=debug", "--set", "history.keep_days=3", "--data",
                "/d \"\\\u{1}é",
            ])
        let text = Setting.all.compactMap { setting in
            setting.literal(in: resolution.settings).map { "\(setting.key) = \($0)\n" }
        }.joined()
        var layers = SettingLayers()
        try SettingsFile.read(Array(text.utf8), at: "f", into: &layers)
        #expect(layers.settings == resolution.settings)
    }

    // MARK: Reloading

    @Test func reload_appliesReloadable_andListsTheRest() throws {
        let before = try resolve(["--set", "limits.depth_max=20", "--set", "threads=2"])
        let read = try resolve(["--set", "limits.depth_max=21", "--set", "threads=3", "--set", "access.read=ada"])
        let (next, changed, waiting) = before.reloaded(read)
        #expect(changed == ["limits.depth_max", "access.read"])
        #expect(waiting == ["threads"])
        #expect(next.settings.limits.depthMax == 21)
        #expect(next.settings.threads == 2)
        let report = next.report(.path("/s"), pending: read)
        #expect(report.filter { $0.pending != nil }.map(\.key) == ["threads"])
        #expect(report.first { $0.key == "threads" }?.pending == "3")
        #expect(report.first { $0.key == "access.read" }?.value == "[\"ada\"]")
        // When a layer stops setting a value, the value of the layer below takes effect.
        let (again, back, _) = next.reloaded(before)
        #expect(back == ["limits.depth_max", "access.read"])
        #expect(again.layers == before.layers)
    }

    @Test func report_namesSourceOfSocket() throws {
        let report = try resolve().report(.inherited(descriptor: 3, path: "/run/notesd/notesd.sock"))
        let socket = report.first { $0.key == "socket" }
        #expect(socket?.value == "\"/run/notesd/notesd.sock\"")
        #expect(socket?.origin == "service manager")
        #expect(report.map(\.key) == Setting.all.map(\.key))
    }
}
