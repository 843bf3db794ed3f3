package dev.dormouse.internal.engine.command;

import dev.dormouse.internal.history.Event;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The callers on this node that wait for answers to updates, by run. Thread-safe; callers are woken without the lock.
 */
public final class UpdateAnswers {
    private final Map<UUID, List<Waiter>> waiting = new HashMap<>();

    /** A caller that waits for the answer to an update. */
    static final class Waiter {
        private final Runnable wake;
        private final long position;
        private volatile Event.@Nullable UpdateAnswered answer;

        /** @param wake called without a lock when there is an answer, or may be one; must be quick */
        Waiter(Runnable wake, long position) {
            this.wake = wake;
            this.position = position;
        }

        Event.@Nullable UpdateAnswered answer() {
            return answer;
        }
    }

    synchronized void add(UUID runId, Waiter waiter) {
        waiting.computeIfAbsent(runId, id -> new ArrayList<>(1)).add(waiter);
    }

    synchronized void remove(UUID runId, Waiter waiter) {
        List<Waiter> waiters = waiting.get(runId);
        if (waiters != null && waiters.remove(waiter) && waiters.isEmpty()) {
            waiting.remove(runId);
        }
    }

    /** Passes a committed answer to the callers that wait for it. */
    public void answered(UUID runId, Event.UpdateAnswered answer) {
        for (Waiter waiter : of(runId)) {
            if (waiter.position == answer.position()) {
                waiter.answer = answer;
                waiter.wake.run();
            }
        }
    }

    /**
     * Makes the callers of a run read the store: their updates may have been answered on another node, or may never be
     * answered.
     */
    public void look(UUID runId) {
        of(runId).forEach(waiter -> waiter.wake.run());
    }

    private synchronized List<Waiter> of(UUID runId) {
        return List.copyOf(waiting.getOrDefault(runId, List.of()));
    }
}
