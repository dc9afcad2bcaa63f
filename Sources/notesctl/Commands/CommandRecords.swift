/// The records that each command prints.

extension New { static let records = [Record.note] }
extension List { static let records = [Record.note] }
extension Search { static let records = [Record.hit] }
extension Config.Show { static let records = [Record.setting] }
extension Backup { static let records = [Record.backup] }
extension Metrics { static let records = [Record.metrics] }
extension Show { static let records = [Record.note] }
extension Diff { static let records = [Record.note, .outcome] }
extension Edit { static let records = [Record.outcome, .note] }
extension Append { static let records = [Record.outcome] }
extension Save { static let records = [Record.outcome] }
extension FilterNote { static let records = [Record.outcome] }
extension Move { static let records = [Record.outcome] }
extension Remove { static let records = [Record.outcome] }
extension Undo { static let records = [Record.outcome] }
extension Redo { static let records = [Record.outcome] }
extension Revert { static let records = [Record.outcome] }
extension Purge { static let records = [Record.purge] }
extension Resolve { static let records = [Record.outcome] }
extension Tags { static let records = [Record.tag] }
extension ListLinks { static let records = [Record.link, .missingTarget] }
extension History { static let records = [Record.revision] }
extension Log { static let records = [Record.logged] }
extension OperationLogCommand { static let records = [Record.operation] }
extension OperationUndo { static let records = [Record.outcome] }
extension OperationRedo { static let records = [Record.outcome] }
extension Watch { static let records = [Record.event] }
extension Conflicts { static let records = [Record.note, .conflict] }
extension Import { static let records = [Record.imported] }
extension MirrorRun { static let records = [Record.mirrored] }
extension MirrorStatus { static let records = [Record.mirroredFolder] }
extension MirrorApprove { static let records = [Record.mirrored] }
extension MirrorEnable { static let records = [Record.mirrorService] }
extension MirrorDisable { static let records = [Record.mirrorService] }
extension MirrorForget { static let records = [Record.forgottenFolder] }
extension Duplicates { static let records = [Record.duplicate] }
extension PeerAdd { static var records: [Record] { [] } }
extension PeerList { static let records = [Record.peer] }
extension HeldList { static let records = [Record.held] }
extension HeldShow { static let records = [Record.held] }
extension HeldDrop { static let records = [Record.dropped] }
extension PeerRemove { static var records: [Record] { [] } }
extension ContextServer { static var records: [Record] { [] } }
extension Browse { static var records: [Record] { [] } }
extension Export { static let records = [Record.exported] }
extension Status { static let records = [Record.status] }
extension Audit { static let records = [Record.audit] }
extension Doctor { static let records = [Record.finding] }
