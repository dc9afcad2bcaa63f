import Foundation

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
}
