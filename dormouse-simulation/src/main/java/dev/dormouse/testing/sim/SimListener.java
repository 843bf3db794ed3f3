package dev.dormouse.testing.sim;

import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.base.Notice;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/** A listener for notices, called on a thread of its node. */
final class SimListener {
    private final Gate gate;
    private final ArrayDeque<Runnable> calls = new ArrayDeque<>();
    private final Consumer<Notice> listener;
    private final Runnable gap;
    private boolean isClosed;

    SimListener(Threads threads, Consumer<Notice> listener, Runnable gap) {
        this.gate = threads.newGate();
        this.listener = listener;
        this.gap = gap;
        threads.startEngine("listener", this::listen);
    }

    private void listen() {
        while (!isClosed) {
            while (!calls.isEmpty() && !isClosed) {
                calls.poll().run();
            }
            gate.pass();
        }
    }

    void hear(Notice notice) {
        call(() -> listener.accept(notice));
    }

    void gap() {
        call(gap);
    }

    private void call(Runnable call) {
        calls.add(call);
        gate.open();
    }

    void close() {
        isClosed = true;
        gate.open();
    }
}
