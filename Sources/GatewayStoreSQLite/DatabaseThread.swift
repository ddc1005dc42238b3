import Dispatch
import GatewayKitCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The thread on which a database is used: waiting for the disk or for another process must not take a thread of Swift's
/// shared pool.
final class DatabaseThread: SerialExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isEnded = false
    }

    private let state = Locked(State())
    private let work = DispatchSemaphore(value: 0)

    /// Starts the thread; `nil` when the system has none.
    init?() {
        var thread = pthread_t()
        let box = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { context in
                #if canImport(Darwin)
                    let thread = Unmanaged<DatabaseThread>.fromOpaque(context).takeRetainedValue()
                #else
                    guard let context else { return nil }
                    let thread = Unmanaged<DatabaseThread>.fromOpaque(context).takeRetainedValue()
                #endif
                thread.run()
                return nil
            }, box.toOpaque())
        guard code == 0 else {
            box.release()
            return nil
        }
        pthread_detach(thread)
    }

    private func run() {
        while true {
            work.wait()
            let (job, isEnded) = state.withLock { state -> (UnownedJob?, Bool) in
                (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isEnded)
            }
            if let job {
                job.runSynchronously(on: asUnownedSerialExecutor())
            } else if isEnded {
                return
            }
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
        work.signal()
    }

    /// Ends the thread once all that waits is done.
    func end() {
        state.withLock { $0.isEnded = true }
        work.signal()
    }
}
