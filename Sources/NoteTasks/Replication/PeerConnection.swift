import Causality
import Console
import Glibc
import NoteText
package import NotesClient
import NotesMethods
import NotesModel
import NotesWire
import Replication

/// A connection of the replicator to a daemon.
package struct PeerConnection: ExchangeStore {
    package let client: NotesClient
    /// The program that carries the connection, such as ssh; nil for a socket of this machine.
    var program: PeerProgram?

    package init(client: NotesClient, program: PeerProgram? = nil) {
        self.client = client
        self.program = program
    }

    /// Connects to another store.
    ///
    /// - Parameters:
    ///   - options: the name and version of this program.
    ///   - isInteractive: whether ssh may ask the user.
    /// - Throws: `ClientError`, or `ExitFailure` if a program cannot be started.
    package static func connect(
        to address: PeerAddress, _ options: ClientOptions, isInteractive: Bool = false
    ) async throws -> PeerConnection {
        var options = options
        var program: PeerProgram?
        if case .unix(let path) = address {
            options.socketPath = path
            options.opening = nil
        } else if let command = address.command(isInteractive: isInteractive) {
            options.socketPath = "\(address)"
            if case .hub = address, !Environment.hasProgram(command[0]) {
                throw ExitFailure("\(command[0]) is not installed; install the package notesd-postgres", .noDaemon)
            }
            let started = PeerProgram(command)
            program = started
            options.opening = { try started.start() }
            // A person may have to answer ssh.
            options.helloTimeout = isInteractive ? .seconds(120) : .seconds(30)
        }
        do {
            return PeerConnection(client: try await NotesClient.connect(options), program: program)
        } catch {
            program?.end()
            guard case ClientError.connectionLost = error else { throw error }
            throw ExitFailure(
                "\(SafeText.line("\(address)")): the connection ended before a daemon answered; if its program gave a reason, "
                    + "it is above", .noDaemon)
        }
    }

    /// Closes the connection.
    ///
    /// - Parameter isFailed: whether the program that makes it may wait for a peer that does not answer.
    func close(isFailed: Bool) async {
        await client.close()
        if isFailed { program?.end() }
    }

    /// What the store has, for people. A hub counts no notes, and neither does a daemon behind a bridge
    /// that carries only the exchange.
    package var amounts: String {
        get async throws {
            do {
                let status: StatusResult = try await client.call(.status)
                return "\(status.store.notes) notes, \(status.store.revisions) revisions"
            } catch ClientError.refused(let refusal) where [.methodNotFound, .permissionDenied].contains(refusal.kind) {
                return "\(try await known().known.count) revisions"
            }
        }
    }

    private var hello: HelloResult {
        get async throws {
            guard let hello = await client.hello else { throw ClientError.closed }
            return hello
        }
    }

    var store: ReplicaID { get async throws { try await hello.store } }
    var replica: ReplicaID { get async throws { try await hello.replica } }

    var hasFiles: Bool { get async throws { try await hello.capabilities.contains("files") } }

    func answer<Answer: WireResult>(to request: FileRequest, as answer: Answer.Type) async throws -> Answer {
        do {
            return try await client.call(.file(request), response: answer)
        } catch let error as ClientError {
            guard case .refused(let refusal) = error else { throw error }
            switch refusal.kind {
            case .overloaded, .storageFull: throw FileDenial.later(refusal.message)
            case .fileDiffers: throw FileDenial.differs(refusal.message)
            case .fileMissing, .fileTooLarge, .storageFailed, .invalidParams: throw FileDenial.file(refusal.message)
            // The user may only read there, or the store is read-only.
            case .permissionDenied, .readOnly: throw FileDenial.later(refusal.message)
            default: throw error
            }
        }
    }

    func known(digests: DotSet) async throws -> KnownRevisionsResult {
        try await client.call(.knownRevisions(digests: digests))
    }

    func watch(_ params: WatchRevisions) async throws -> RevisionPages {
        let feed = try await client.watchRevisions(params)
        return RevisionPages(start: feed.start, pages: feed.pages)
    }

    func proceed(_ params: ProceedParams) async throws {
        _ = try await client.call(.proceed(params), response: EmptyResult.self)
    }

    func complete(_ revisions: DotSet) async throws {
        do {
            _ = try await client.call(.completeRevisions(revisions), response: EmptyResult.self)
        } catch ClientError.refused {
            // The record of this peer stays as it is, so that store keeps more than it must.
        }
    }

    func adopt(_ offer: AdoptParams, placed: @escaping @Sendable () -> Void) async throws -> AdoptAnswer {
        do {
            return .adopted(try await client.call(.adopt(offer), response: AdoptResult.self, placed: placed))
        } catch let error as ClientError {
            guard case .refused(let refusal) = error else { throw error }
            switch refusal.kind {
            // A store with a damaged row fails for the revisions of its note, and takes the others.
            case .invalidParams, .internal, .parseError, .lineTooLong, .storageFailed: return .unacceptable(refusal.message)
            case .overloaded, .storageFull: return .later(refusal.message)
            default: throw error
            }
        }
    }
}
