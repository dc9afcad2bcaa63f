/// Why a store cannot be opened. The text says what to do about it.
package enum StoreError: Error, Hashable {
    /// Another process has it; its id, where the lock file tells.
    case locked(path: String, process: Int32?)
    case directory(String)
    /// A newer program made it.
    case newer(path: String, version: Int, known: Int)
    /// The file is some other program's.
    case foreign(path: String)
    /// What was to be restored is no backup.
    case backup(String)
    case journal(JournalError)
}

extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .locked(let path, let process):
            "another notesd\(process.map { " (process \($0))" } ?? "") holds the lock \(path); stop it, or use another directory"
        case .directory(let text), .backup(let text): text
        case .newer(let path, let version, let known):
            "\(path) was written by a newer notesd (schema version \(version); this one supports \(known)); run that notesd"
        case .foreign(let path): "\(path) is not a notesd store; move it away, or use another directory"
        case .journal(let error): "\(error)"
        }
    }
}

extension JournalError: CustomStringConvertible {
    package var description: String { message }
}
