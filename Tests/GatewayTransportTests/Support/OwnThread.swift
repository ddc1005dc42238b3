import Foundation
import GatewayKitCore

/// A thread that runs tasks of its own: what is timed on it does not wait for Swift's shared pool, which other tests of
/// the same process keep busy.
final class OwnThread: TaskExecutor {
    private struct Queue {
        var jobs: [UnownedJob] = []
    }

    private let queue = Locked(Queue())
    private let work = DispatchSemaphore(value: 0)

    init() {
        let queue = queue
        let work = work
        let thread = Thread { [unowned self] in
            while true {
                work.wait()
                let job = queue.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
                guard let job else { return }
                job.runSynchronously(on: self.asUnownedTaskExecutor())
            }
        }
        thread.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.withLock { $0.jobs.append(job) }
        work.signal()
    }

    /// Ends the thread once all jobs are done.
    func end() { work.signal() }

    /// Runs `body` on a thread of its own.
    static func run<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result {
        let thread = OwnThread()
        defer { thread.end() }
        return try await withTaskExecutorPreference(thread, operation: body)
    }
}
