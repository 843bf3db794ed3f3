package dev.dormouse.internal.engine.command;

import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.thread.Gate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Who waits here for answers of which run. Thread-safe. */
public final class UpdateAnswers {
    private final Map<UUID, List<Waiter>> waiting = new HashMap<>();

    /** Somebody who waits for the answer to an update. */
    static final class Waiter {
        final Gate gate;
        private final long position;
        private volatile Event.@Nullable UpdateAnswered answer;

        Waiter(Gate gate, long position) {
            this.gate = gate;
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

    public void told(UUID runId, Event.UpdateAnswered answer) {
        for (Waiter waiter : of(runId)) {
            if (waiter.position == answer.position()) {
                waiter.answer = answer;
                waiter.gate.open();
            }
        }
    }

    /** Something may have been answered elsewhere, or never will be. */
    public void look(UUID runId) {
        of(runId).forEach(waiter -> waiter.gate.open());
    }

    private synchronized List<Waiter> of(UUID runId) {
        return List.copyOf(waiting.getOrDefault(runId, List.of()));
    }
}
