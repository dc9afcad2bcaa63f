/// The kinds of messages that the daemon logs, with their journal ids, by which administrators can
/// select them (`journalctl MESSAGE_ID=…`). The id of a kind never changes; the wording may.
///
/// A message carries its kind as `"event"` in its metadata.
enum LogCatalog {
    /// Random 128-bit ids in hexadecimal, by kind.
    static let identifiers: [String: String] = [
        "started": "fa25915540b5489c88f34a22c7ed9d3d",
        "stopping": "9257cf91ae3d43d9bed659b98034c0f4",
        "stopped": "19b386d1e1bf464cba94334bedfb5de4",
        "failed": "6c49b327e1c240df9da80d2d533995ba",
        "reloaded": "5ec002f63d5c464d9fd73fdec3873bbb",
        "reload-refused": "a49fff97f5f94a0bacfa02e764c3b615",
        "setting-waits": "b5b66eebc2084d54bf65c79e527d4e2d",
        "unknown-peer": "69b236bc09b14ec684adbc64c05c5ade",
        "store-failed": "d53857814f0343ce997ccbf714c78b2c",
        "store-full": "c14792d53e4e43558b8ebd103a852009",
        "store-writable": "14e393d6d59a4ce5bff994f906b71792",
        "commit-failed": "dc51ee34872a444aa16fc73885279a3c",
        "read-failed": "799fa978725b4fcdaef9cfd4761c5a9d",
        "line-failed": "9be50ea9379b4880bc72efb4a9d2af51",
        "checkpoint-failed": "8446bff0ee674f5b94114fe1aa9213ea",
        "accept-failed": "56eb1b6338a445099aab211910a41a5f",
        "socket-removed": "66f9a7eeeefa4442ae8c37f4d02ab9d7",
        "peer-refused": "4ec5e5de1e2d484e9472d1ed86566cdf",
        "note-conflicted": "6316934305b84746bb4392e4d84218f0",
        "audit-findings": "c3332d1be9da45f782c6db9a8ba21994",
        "index-rebuilt": "84f11c10cb75484880de1070ead8ac6e",
        "index-behind": "07df831d36e8451496da3ef39e395883",
        "compacted": "7862dd2f1df144b084b610df8a2b5c67",
        "compaction-failed": "c285fd0fa59f4fb88ebf675d546382f5",
        "exchange-refused": "8737ee5812964379aabb7ddc197434e8",
        "purged": "6bd781b0f33896ffe00316e5fd9aa5d9",
        "scrubbed": "f4fe03703b424058b1b6b9b325d4b775",
        "scrub-failed": "dd70c42ffb3e4588965d8b0bd9b40f1d",
        "file-failed": "88f2cf52b5c0037bf927282851ff6e49",
        "file-lost": "6affc7f253fccfedc534ca04cc0b48a4",
        "reopened": "f095137612274e46bfc0099840d487f7",
        "continued": "d8964942606c46899750919bc4e523af",
        "peer-unrecorded": "e2e3d8faf9ba47338c31328b82172a19",
    ]
}
