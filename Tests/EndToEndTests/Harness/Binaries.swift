import Foundation
import TestKit

/// The programs under test, in `NOTESD_BIN_DIR` or built beside the tests.
enum Binaries {
    static let notesd = path(of: "notesd")
    static let notesctl = path(of: "notesctl")

    private static func path(of name: String) -> String {
        let directory = environment("NOTESD_BIN_DIR") ?? Bundle.module.bundleURL.deletingLastPathComponent().path
        return "\(directory)/\(name)"
    }
}
