import Testing

/// Tests with real `notesd` and `notesctl` processes, real sockets and a real disk.
///
/// They run one at a time: each may use the whole machine, and a test that measures memory must not
/// see another's.
@Suite(.serialized) enum EndToEnd {}
