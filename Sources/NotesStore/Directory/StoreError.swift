/// Why a store cannot be opened or restored. The description says what to do about it.
package enum StoreError: Error, Hashable {
    /// Another process holds the lock. `process` is its id if the lock file contains one.
    case locked(path: String, process: Int32?)
    /// The directory or one of its files cannot be used.
    case directory(String)
    /// A newer program wrote the store: its schema has `version`, this program supports `known`.
    case newer(path: String, version: Int, known: Int)
    /// An unreleased program wrote the store, whose schema has an earlier `version`.
    case older(path: String, version: Int, known: Int)
    /// The file belongs to another program.
    case foreign(path: String)
    /// The file of the notes is missing or empty, although the directory has the search index of a store.
    case vanished(path: String)
    /// The file to restore is not a backup, or is damaged.
    case backup(String)
    /// The journal reported an error while it opened the store.
    case journal(JournalError)
}

extension StoreError: CustomStringConvertible {
    /// What is wrong and what to do about it, as one sentence for the terminal.
    package var description: String {
        switch self {
        case .locked(let path, let process):
            "another notesd\(process.map { " (process \($0))" } ?? "") holds the lock \(path); stop it, or use another directory"
        case .directory(let text), .backup(let text): text
        case .newer(let path, let version, let known):
            "\(path) was written by a newer notesd (schema version \(version); this one supports \(known)); run that notesd"
        case .older(let path, let version, let known):
            "\(path) was written by an unreleased notesd (schema version \(version); this one supports only \(known)); run that "
                + "notesd, save its notes with `notesctl export DIRECTORY`, and import them into a new store"
        case .foreign(let path): "\(path) is not a notesd store; move it away, or use another directory"
        case .vanished(let path):
            "\(path) is missing or empty, although the search index beside it is that of a store: the notes are gone; restore a "
                + "backup into another directory with `notesd restore`, or move search.sqlite3 away to begin an empty store"
        case .journal(let error): "\(error)"
        }
    }
}

extension StoreError {
    /// The error of a store whose schema has a version; nil if this program supports it.
    static func version(_ version: Int, path: String) -> StoreError? {
        if version == Schema.version { return nil }
        return version > Schema.version
            ? .newer(path: path, version: version, known: Schema.version)
            : .older(path: path, version: version, known: Schema.version)
    }
}
