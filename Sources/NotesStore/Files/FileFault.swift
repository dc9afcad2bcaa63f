/// Why a call on the folder of files failed.
package enum FileFault: Error, Hashable {
    /// The disk has no room, or less than must stay free. The upload keeps the bytes that it has.
    case noRoom(String)
    /// The uploaded bytes do not have their size or their hash. The upload is gone.
    case differs
    /// The user, or all users, have as many unfinished uploads as they may.
    case tooMany
    /// No file, or no upload, of this name is there.
    case missing
    /// A call of the system failed. The text says which one, and why.
    case failed(String)
}

extension FileFault: CustomStringConvertible {
    /// What is wrong, for logs.
    package var description: String {
        switch self {
        case .noRoom(let text), .failed(let text): text
        case .differs: "the uploaded bytes do not have the size and the hash that were stated for them"
        case .tooMany: "too many uploads are unfinished"
        case .missing: "these bytes are not there"
        }
    }
}

extension FileFault {
    /// The fault of a call of the system.
    ///
    /// - Parameter action: what could not be done, such as `files/part/7-… cannot be written`.
    init(_ fault: FolderCallFault, _ action: String) {
        switch fault {
        case .missing: self = .missing
        case .exists: self = .failed("\(action): the name is in use")
        case .noRoom(let reason): self = .noRoom("\(action): \(reason)")
        case .failed(let reason): self = .failed("\(action): \(reason)")
        }
    }
}
