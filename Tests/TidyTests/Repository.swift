import Foundation

/// The project's files on disk.
enum Repository {
    /// The repository's root, found from this file's path with links resolved.
    static let root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(path).path)
    }

    /// Paths below a folder, relative to the root and sorted, without build products and git's
    /// files.
    static func files(below folder: String) -> [String] {
        let base = root.appendingPathComponent(folder).path
        guard let walk = FileManager.default.enumerator(atPath: base) else { return [] }
        var paths: [String] = []
        for case let path as String in walk {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            if [".build", ".git", ".swiftpm"].contains(name) {
                walk.skipDescendants()
                continue
            }
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(base)/\(path)", isDirectory: &isFolder)
            if !isFolder.boolValue { paths.append(folder.isEmpty ? path : "\(folder)/\(path)") }
        }
        return paths.sorted()
    }

    /// Every Swift file of the package's targets and tests.
    static func swiftSources() throws -> [SwiftSource] {
        try ["Sources", "Tests", "verification"].flatMap(files).filter { $0.hasSuffix(".swift") }.map { path in
            SwiftSource(path: path, text: try text(path))
        }
    }

    static func manifest() throws -> Manifest {
        Manifest(SwiftSource(path: "Package.swift", text: try text("Package.swift")))
    }
}
