import ArgumentParser
import Testing

@testable import notesd

/// Sources of the paths, and the errors if nothing determines one.
@Suite struct ResolutionTests {
    /// Files of the test: Ada has a configuration file, Bob has none.
    private let files = [
        "/home/ada/.config/notesd/notesd.toml": "socket = \"/file/s\"\nthreads = 2\n",
        "/other.toml": "data = \"/other/d\"\n",
    ]

    private func resolve(_ arguments: [String] = [], _ variables: [String: String]) throws -> Resolution {
        try Resolution(
            options: try Options.parse(arguments), environment: Environment(variables: variables),
            reading: Resolution.Reading(
                file: { path throws(ExitFailure) in files[path].map { Array($0.utf8) } },
                directory: { directory throws(ExitFailure) in
                    files.keys.filter { $0.hasPrefix(directory + "/") }.map { String($0.dropFirst(directory.count + 1)) }
                }))
    }

    private let session = ["XDG_RUNTIME_DIR": "/run/user/1", "HOME": "/home/bob"]

    @Test func defaults_comeFromTheEnvironment() throws {
        let resolution = try resolve([], session)
        #expect(resolution.socket == "/run/user/1/notesd/notesd.sock")
        #expect(resolution.data == "/home/bob/.local/share/notesd")
        #expect(resolution.config == nil)
        #expect(try resolve([], session.merging(["XDG_DATA_HOME": "/d"]) { $1 }).data == "/d/notesd")
        #expect(try resolve([], session.merging(["XDG_DATA_HOME": ""]) { $1 }).data == "/home/bob/.local/share/notesd")
        #expect(try resolve([], session.merging(["XDG_DATA_HOME": "relative"]) { $1 }).data == "/home/bob/.local/share/notesd")
    }

    @Test func option_precedesEnvironment_fileAndDefault() throws {
        var variables = ["XDG_RUNTIME_DIR": "/run/user/1", "HOME": "/home/ada"]
        #expect(try resolve([], variables).socket == "/file/s")
        #expect(try resolve([], variables).settings.threads == 2)
        variables["NOTESD_SOCKET"] = "/env/s"
        variables["NOTESD_DATA"] = "/env/d"
        #expect(try resolve([], variables).socket == "/env/s")
        #expect(try resolve([], variables).data == "/env/d")
        let resolution = try resolve(["--socket", "flag/s", "--data", "/flag/d"], variables)
        #expect(resolution.socket == "flag/s")
        #expect(resolution.data == "/flag/d")
    }

    @Test func namedFile_mustExist_andReplacesTheOthers() throws {
        #expect(try resolve(["--config", "/other.toml"], ["XDG_RUNTIME_DIR": "/r", "HOME": "/home/ada"]).settings.threads == 0)
        #expect(try resolve([], ["XDG_RUNTIME_DIR": "/r", "HOME": "/h", "NOTESD_CONFIG": "/other.toml"]).data == "/other/d")
        let missing = #expect(throws: ExitFailure.self) { try resolve(["--config", "/none.toml"], session) }
        #expect(missing == ExitFailure("/none.toml: no such file", .configuration))
    }

    @Test func missingPaths_areClearErrors() {
        let socket = #expect(throws: ExitFailure.self) { try resolve([], ["HOME": "/h"]).socketPath() }
        #expect(
            socket
                == ExitFailure(
                    "no path for the socket: XDG_RUNTIME_DIR is not set to an absolute path. Set it, or use --socket PATH "
                        + "or NOTESD_SOCKET", .usage))
        let data = #expect(throws: ExitFailure.self) { try resolve([], ["XDG_RUNTIME_DIR": "/r"]).dataPath() }
        #expect(
            data
                == ExitFailure(
                    "no directory for the notes: neither XDG_DATA_HOME nor HOME is set to an absolute path. Set one, or use "
                        + "--data DIR or NOTESD_DATA", .usage))
    }
}
