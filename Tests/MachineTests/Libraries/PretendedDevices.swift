import Testing

/// The tests on devices umockdev pretends. One after another: a process has one testbed at a time.
@Suite(.serialized) enum UdevTests {}
