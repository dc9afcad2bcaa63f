/// The records that each command prints.

extension NewCommand { static let records = [Record.note] }
extension ListCommand { static let records = [Record.note] }
extension SearchCommand { static let records = [Record.hit] }
extension ConfigCommand.Show { static let records = [Record.setting] }
extension BackupCommand { static let records = [Record.backup] }
extension MetricsCommand { static let records = [Record.metrics] }
extension ShowCommand { static let records = [Record.note] }
extension DiffCommand { static let records = [Record.note, .outcome] }
extension EditCommand { static let records = [Record.outcome, .note] }
extension AppendCommand { static let records = [Record.outcome] }
extension SaveCommand { static let records = [Record.outcome] }
extension FilterCommand { static let records = [Record.outcome] }
extension MoveCommand { static let records = [Record.outcome] }
extension RemoveCommand { static let records = [Record.outcome] }
extension UndoCommand { static let records = [Record.outcome] }
extension RedoCommand { static let records = [Record.outcome] }
extension RevertCommand { static let records = [Record.outcome] }
extension PurgeCommand { static let records = [Record.purge] }
extension ResolveCommand { static let records = [Record.outcome] }
extension TagsCommand { static let records = [Record.tag] }
extension LinksCommand { static let records = [Record.link, .missingTarget] }
extension HistoryCommand { static let records = [Record.revision] }
extension LogCommand { static let records = [Record.logged] }
extension OperationLogCommand { static let records = [Record.operation] }
extension OperationUndoCommand { static let records = [Record.outcome] }
extension OperationRedoCommand { static let records = [Record.outcome] }
extension WatchCommand { static let records = [Record.event] }
extension ConflictsCommand { static let records = [Record.note, .conflict] }
extension ImportCommand { static let records = [Record.imported] }
extension MirrorRunCommand { static let records = [Record.mirrored] }
extension MirrorStatusCommand { static let records = [Record.mirroredFolder] }
extension MirrorApproveCommand { static let records = [Record.mirrored] }
extension MirrorEnableCommand { static let records = [Record.mirrorService] }
extension MirrorDisableCommand { static let records = [Record.mirrorService] }
extension MirrorForgetCommand { static let records = [Record.forgottenFolder] }
extension DuplicatesCommand { static let records = [Record.duplicate] }
extension PeerAddCommand { static var records: [Record] { [] } }
extension PeerListCommand { static let records = [Record.peer] }
extension FileAddCommand { static let records = [Record.note] }
extension FilePasteCommand { static let records = [Record.note] }
extension FilePutCommand { static let records = [Record.outcome] }
extension FileGetCommand { static var records: [Record] { [] } }
extension FileViewCommand { static var records: [Record] { [] } }
extension FileOpenCommand { static var records: [Record] { [] } }
extension FileListCommand { static let records = [Record.note, .file] }
extension HeldListCommand { static let records = [Record.held] }
extension HeldShowCommand { static let records = [Record.held] }
extension HeldDropCommand { static let records = [Record.dropped] }
extension PeerRemoveCommand { static var records: [Record] { [] } }
extension WebServeCommand { static var records: [Record] { [] } }
extension WebLinkCommand { static var records: [Record] { [] } }
extension WebDevicesCommand { static let records = [Record.device] }
extension WebRevokeCommand { static var records: [Record] { [] } }
extension AttachCommand { static var records: [Record] { [] } }
extension LanguageServerCommand { static var records: [Record] { [] } }
extension ContextServerCommand { static var records: [Record] { [] } }
extension BrowseCommand { static var records: [Record] { [] } }
extension ExportCommand { static let records = [Record.exported] }
extension StatusCommand { static let records = [Record.status] }
extension AuditCommand { static let records = [Record.audit] }
extension DoctorCommand { static let records = [Record.finding] }
