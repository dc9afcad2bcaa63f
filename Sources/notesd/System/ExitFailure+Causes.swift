import Glibc
import NotesServer
import NotesStore

extension ExitFailure {
    /// The message and exit code for an error that stopped the daemon.
    init(_ error: any Error) {
        switch error {
        case let error as ExitFailure: self = error
        case let error as ListenError: self.init(error)
        case let error as StoreError: self.init(error)
        default: self.init("the store failed: \(error)", .store)
        }
    }

    private init(_ error: ListenError) {
        switch error {
        case .alreadyListening: self.init("\(error)", .inUse)
        case .emptyPath, .pathTooLong: self.init("\(error)", .usage)
        case .notASocket, .openDirectory, .foreignDirectory, .systemCall, .lost: self.init("\(error)", .cannotCreate)
        }
    }

    /// The message and exit code for an error of the store.
    init(_ error: StoreError) {
        switch error {
        case .locked: self.init("\(error)", .inUse)
        case .directory: self.init("\(error)", .cannotCreate)
        case .newer, .older, .foreign, .vanished, .backup: self.init("\(error)", .data)
        case .journal: self.init("\(error)", .store)
        }
    }
}

extension ExitFailure.Code {
    /// The nearest `errno` value, for the service manager (`ERRNO=`).
    var errorNumber: Int32 {
        switch self {
        case .usage, .configuration: EINVAL
        case .data: EBADMSG
        case .cannotCreate: EACCES
        case .store: EIO
        case .inUse: EBUSY
        }
    }
}
