package import NoteText
package import StrictJSON

/// Result of `daemon.config`: the settings in effect and the source of each.
package struct ConfigResult: WireResult {
    /// The settings, as the daemon lists them.
    package var settings: [SettingObject]

    package init(settings: [SettingObject]) {
        self.settings = settings
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { result in
            result.name("settings")
            result.array(of: settings) { $1.write(to: &$0) }
        }
    }

    package init(reading value: JSONValue) throws(ParamFault) {
        settings = try value.required("settings", Param.array(SettingObject.init(reading:)))
    }
}

/// One setting of the daemon, for people.
package struct SettingObject: ReceivedObject, Hashable, Sendable {
    /// Full key, such as `limits.depth_max`.
    package var key: ByteString
    /// The value in effect, as the configuration file would have it; nil if the setting is not set
    /// and has no default in that form.
    package var value: ByteString?
    /// The source of the value: a file, an environment variable, a command-line option, or
    /// "default".
    package var source: ByteString
    /// Whether a reload changes the setting without a restart.
    package var isReloadable: Bool
    /// The value that the next start will use; nil if it equals the one in effect.
    package var pending: ByteString?
    package var received = ReceivedJSON<ArraySlice<UInt8>?>(nil)

    package init(key: ByteString, value: ByteString?, source: ByteString, isReloadable: Bool, pending: ByteString? = nil) {
        self.key = key
        self.value = value
        self.source = source
        self.isReloadable = isReloadable
        self.pending = pending
    }

    /// Writes the setting as one JSON object.
    package func write(to writer: inout JSONWriter) {
        writer.object { object in
            object.member("key", key)
            object.member("value", value)
            object.member("source", source)
            object.member("reloadable", isReloadable)
            object.member("pending", pending)
        }
    }

    fileprivate init(reading value: JSONValue) throws(ParamFault) {
        key = try value.required("key", Param.string)
        self.value = try value.required("value", Param.nullable(Param.string))
        source = try value.required("source", Param.string)
        isReloadable = try value.required("reloadable", Param.bool)
        pending = try value.required("pending", Param.nullable(Param.string))
        received = ReceivedJSON(value.source)
    }
}
