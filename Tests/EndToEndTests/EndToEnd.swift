import Testing

/// Real `notesd` and `notesctl` processes, over real sockets, on a real disk.
///
/// One test after the other: each may use the whole machine, and what one measures of memory is not another's doing.
@Suite(.serialized) enum EndToEnd {}
