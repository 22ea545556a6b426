/// Which thread is asking, to tell what a sink sends from what another thread sends.
///
/// The standard library has no name for the thread itself, so this is the address that the
/// platform's `pthread_self` returns; it is compared and never followed.
@_silgen_name("pthread_self")
package func currentThreadIdentity() -> UInt
