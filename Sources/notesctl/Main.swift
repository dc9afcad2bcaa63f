import Dispatch
import Glibc

@main
@MainActor
enum Main {
    /// Runs the command on the main thread.
    ///
    /// A command that sends one request starts and ends on this thread. An `async` main would start on
    /// another one, and creating threads takes a tenth of such a command's time. Tasks that wait for
    /// anything else continue on Dispatch's threads.
    static func main() {
        // Dispatch may not raise thread priorities for ordinary users, and would log that on every start.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        Task.immediate { @MainActor in
            await Notesctl.run()
            exit(0)
        }
        dispatchMain()
    }
}
