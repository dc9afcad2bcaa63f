import Glibc
import TestKit
import Testing

@testable import NotesEngine
@testable import NotesServer
@testable import notesd

/// `config/notesd.toml`, which administrators copy: it lists every setting, and the defaults in its
/// comments are those of the code.
@Suite struct SampleFileTests {
    private static let path =
        "/" + "\(#filePath)".split(separator: "/").dropLast(3).joined(separator: "/")
        + "/config/notesd.toml"

    private func shipped() throws -> String {
        String(decoding: try #require(try Files.read(Self.path)), as: UTF8.self)
    }

    /// `NOTESD_UPDATE_GOLDEN=1` regenerates the file.
    @Test func shippedFile_isMadeFromTheSettings() throws {
        if environment("NOTESD_UPDATE_GOLDEN") != nil {
            let descriptor = open(Self.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
            defer { close(descriptor) }
            _ = Array(SampleFile.text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        }
        #expect(try shipped() == SampleFile.text)
    }

    @Test func shippedFile_changesNothing() throws {
        var layers = SettingLayers()
        try SettingsFile.read(Array(try shipped().utf8), at: "notesd.toml", into: &layers)
        #expect(layers.settings == Settings())
    }

    /// Uncommenting every setting changes nothing, except for settings that show an example or a
    /// path whose default depends on the environment.
    @Test func defaults_matchTheCode_andEveryKeyIsListed() throws {
        let lines = try shipped().split(separator: "\n", omittingEmptySubsequences: false)
        let isSetting = { (line: Substring) in line.hasPrefix("#") && !line.hasPrefix("# ") && line != "#" }
        let text = lines.map { isSetting($0) ? $0.dropFirst() : $0 }.joined(separator: "\n")
        var layers = SettingLayers()
        try SettingsFile.read(Array(text.utf8), at: "notesd.toml", into: &layers)
        var expected = Settings(socket: "/…", data: "/…", historyKeepDays: 365, filesTotalBytesMax: 10_737_418_240)
        expected.limits.userConnectionsMax = 1_000
        expected.files.fetchBytesMax = 5_242_880
        expected.access = AccessSettings(
            read: ["@notes-readers"], write: ["ada", "@editors"], sync: ["@family"], admin: ["@adm"])
        #expect(layers.settings == expected)
        #expect(lines.count(where: isSetting) == Setting.all.count)
    }

    @Test func everyKey_isListedOnce_underItsTable() {
        #expect(Set(Setting.all.map(\.key)).count == Setting.all.count)
        var tables: [[String]] = []
        for setting in Setting.all where tables.last != Array(setting.path.dropLast()) { tables.append(setting.path.dropLast()) }
        #expect(Set(tables).count == tables.count)
    }
}
