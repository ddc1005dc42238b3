import Dispatch
import GatewayKitCore

/// A thread that runs tasks of its own: what is timed on it does not wait for Swift's shared pool, which other tasks of
/// the same process may keep busy.
package final class OwnThread: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isEnded = false
    }
    private let state = Locked(State())
    private let work = DispatchSemaphore(value: 0)

    package init() {
        startThread { [self] in
            while true {
                work.wait()
                let (job, isEnded) = state.withLock { state -> (UnownedJob?, Bool) in
                    (state.jobs.isEmpty ? nil : state.jobs.removeFirst(), state.isEnded)
                }
                if let job {
                    job.runSynchronously(on: asUnownedTaskExecutor())
                } else if isEnded {
                    return
                }
            }
        }
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isEnded = state.withLock { state in
            if !state.isEnded { state.jobs.append(job) }
            return state.isEnded
        }
        // A task that outlives its case, such as one that a transport left behind, goes on elsewhere.
        if isEnded {
            globalConcurrentExecutor.enqueue(job)
        } else {
            work.signal()
        }
    }

    /// Ends the thread once all jobs that are waiting are done.
    package func end() {
        state.withLock { $0.isEnded = true }
        work.signal()
    }
}
