/// Settings with nothing left open: options before environment before file before `conf.d` before defaults.
struct Resolution: Hashable, Sendable {
    var layers: SettingLayers
    /// Nil where nothing says where; `socketPath` says so.
    let socket: String?
    let data: String?
    /// The configuration file that was read; nil where there is none.
    let config: String?
    /// The files of `conf.d` beside it, in the order in which they were read.
    let dropIns: [String]
    var settings: Settings { layers.settings }

    /// How a configuration is read.
    struct Reading {
        /// The file's bytes; nil where there is none; throws what is in the way of reading one that is there.
        var file: (String) throws(ExitFailure) -> [UInt8]?
        /// The names in a directory; none where there is no such directory; throws what is in the way of reading one that is there.
        var directory: (String) throws(ExitFailure) -> [String]
    }

    init(options: Options, environment: Environment, reading: Reading) throws(ExitFailure) {
        var layers = SettingLayers()
        let named = options.config ?? environment["NOTESD_CONFIG"]
        let path = named ?? environment.defaultConfig
        dropIns = try path.map { path throws(ExitFailure) in try Self.readDropIns(beside: path, reading, into: &layers) } ?? []
        config = try Self.readConfig(path, isNamed: named != nil, reading, into: &layers)
        try layers.take(environment)
        for assignment in options.set { try layers.take(assignment: assignment) }
        if let socket = options.socket { layers.take(option: "--socket", path: socket, for: "socket") }
        if let data = options.data { layers.take(option: "--data", path: data, for: "data") }
        try layers.check()
        self.layers = layers
        socket = layers.settings.socket ?? environment.defaultSocket
        data = layers.settings.data ?? environment.defaultData
    }

    func socketPath() throws(ExitFailure) -> String {
        guard let socket else {
            throw ExitFailure(
                "there is no place for the socket: XDG_RUNTIME_DIR is not set to an absolute path. Set it, or name a socket with "
                    + "--socket PATH or NOTESD_SOCKET", .usage)
        }
        return socket
    }

    func dataPath() throws(ExitFailure) -> String {
        guard let data else {
            throw ExitFailure(
                "there is no place for the notes: neither XDG_DATA_HOME nor HOME is set to an absolute path. Set one, or name a "
                    + "directory with --data DIR or NOTESD_DATA", .usage)
        }
        return data
    }

    /// A file that was named must be there; the default one need not.
    private static func readConfig(
        _ path: String?, isNamed: Bool, _ reading: Reading, into layers: inout SettingLayers
    ) throws(ExitFailure) -> String? {
        guard let path else { return nil }
        guard let bytes = try reading.file(path) else {
            guard !isNamed else { throw ExitFailure("\(path): there is no such file", .configuration) }
            return nil
        }
        try SettingsFile.read(bytes, at: path, into: &layers)
        return path
    }

    /// `conf.d/*.toml` beside the configuration file, by name; what a later one says goes before what an earlier one says.
    private static func readDropIns(
        beside config: String, _ reading: Reading, into layers: inout SettingLayers
    ) throws(ExitFailure) -> [String] {
        let directory = (config.lastIndex(of: "/").map { String(config[...$0]) } ?? "") + "conf.d"
        let names = try reading.directory(directory).filter { $0.hasSuffix(".toml") && !$0.hasPrefix(".") }
        var paths: [String] = []
        for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            let path = directory + "/" + name
            guard let bytes = try reading.file(path) else { continue }
            try SettingsFile.read(bytes, at: path, into: &layers)
            paths.append(path)
        }
        return paths
    }
}

extension Resolution.Reading {
    static var files: Resolution.Reading { Resolution.Reading(file: Files.read, directory: Files.names) }
}
