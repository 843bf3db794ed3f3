package dev.dormouse.benchmarks.system.dormouse.node;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A step that never ends on the node that holds it, and ends at once on another. */
final class HeldRuns {
    private final CountDownLatch never = new CountDownLatch(1);
    private final AtomicInteger begun = new AtomicInteger();
    private volatile boolean holds;

    void hold() {
        holds = true;
    }

    void step() throws InterruptedException {
        begun.incrementAndGet();
        if (holds) {
            never.await();
        }
    }

    int begun() {
        return begun.get();
    }
}
