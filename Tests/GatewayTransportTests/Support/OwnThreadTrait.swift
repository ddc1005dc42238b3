import GatewayTransportSuite
import Testing

/// Runs each test on a thread of its own. The pool that tests share is kept busy by others of the same process: a step
/// would wait there for longer than a kept connection lives.
struct OwnThreadTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        let thread = OwnThread()
        defer { thread.end() }
        try await withTaskExecutorPreference(thread) { try await function() }
    }
}

extension Trait where Self == OwnThreadTrait {
    /// On a thread of its own.
    static var onOwnThread: Self { OwnThreadTrait() }
}
