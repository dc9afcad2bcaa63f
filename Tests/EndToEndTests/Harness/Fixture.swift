import Foundation
import NotesModel
import NotesWire
import TestKit

/// Third-party test files; `Fixtures/CREDITS.md` names their authors.
enum Fixture {
    static func path(_ name: String) throws -> String {
        guard let root = Bundle.module.resourceURL else { throw CocoaError(.fileNoSuchFile) }
        return root.appendingPathComponent("Fixtures/\(name)").path
    }

    /// A file below the repository's root.
    static func repositoryPath(_ name: String) -> String {
        let here = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        return here.pathComponents.dropLast(4).joined(separator: "/") + "/" + name
    }

    /// The contents of a gzipped fixture.
    static func unzipped(_ name: String) async throws -> [UInt8] {
        try await Command.run("/usr/bin/gzip", ["-dc", try path(name)]).output
    }

    /// The texts of the JSON test suite, by name.
    static func jsonSuite() throws -> [(name: String, text: [UInt8])] {
        let archive = try Files.read(repositoryPath("Tests/NotesWireTests/Fixtures/JSONTestSuite.tar"))
        return try TarArchive(archive).entries.map { ($0.name, $0.bytes) }
    }

    static func naughtyStrings() throws -> [ByteString] {
        let text = try Files.read(repositoryPath("Tests/NotesWireTests/Fixtures/naughty-strings.json"))
        return try JSONDocument(parsing: text, depthMax: 2).root.elements.compactMap(\.string)
    }

    static func utf8StressTest() throws -> [UInt8] {
        try Files.read(repositoryPath("Tests/NotesWireTests/Fixtures/utf8-stress-test.txt"))
    }
}
