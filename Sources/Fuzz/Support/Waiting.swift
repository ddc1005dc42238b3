import Synchronization

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Runs asynchronous work to its end: libFuzzer calls from a thread that may wait.
public func waiting<Result: Sendable>(for work: @escaping @Sendable () async -> Result) -> Result? {
    let box = Box<Result>()
    Task {
        let result = await work()
        box.put(result)
    }
    return box.take()
}

/// A place for one value that another thread waits for.
private final class Box<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let signal = Signal()

    func put(_ new: Value) {
        value.withLock { $0 = new }
        signal.give()
    }

    func take() -> Value? {
        signal.wait()
        return value.withLock { $0 }
    }
}

private final class Signal: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func give() { sem_post(semaphore) }

    func wait() {
        while sem_wait(semaphore) != 0 {}
    }
}
