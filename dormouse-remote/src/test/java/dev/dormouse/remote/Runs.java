package dev.dormouse.remote;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.store.run.Alarm;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.HistoryAppend;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Start;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Requests as an engine sends them. */
final class Runs {
    static final Duration LEASE = Duration.ofSeconds(30);
    private static final long HELD = 7;

    private Runs() {}

    /** Returns a start that the node {@code n} executes. */
    static Start start(String workflowId) {
        NextState next = NextState.running(HELD, LEASE);
        return new Start(workflowId, UUID.randomUUID(), "type", "lane", "n", next, events(), Set.of());
    }

    /** Returns a commit of one event at a position. */
    static Commit step(Start start, int position) {
        Fence fence = Fence.of(HELD, position);
        return new Commit(start.runId(), fence, events(), 0, NextState.running(HELD), List.of(), true);
    }

    /** Returns a commit that suspends the run until it gets mail. */
    static Commit suspend(Start start, int position) {
        NextState next = NextState.waiting(Alarm.NONE, WakeReason.TIMER);
        return new Commit(start.runId(), Fence.of(HELD, position), events(), 0, next, List.of(), true);
    }

    /** Returns a commit that closes the run. */
    static Commit close(Start start, int position) {
        NextState next = NextState.closed(RunStatus.COMPLETED);
        return new Commit(start.runId(), Fence.of(HELD, position), events(), 0, next, List.of(), true);
    }

    static HistoryAppend append(Start start, int position) {
        return new HistoryAppend(start.runId(), position, Fence.ANY_EPOCH, events());
    }

    static Delivery delivery(String workflowId, String key) {
        return new Delivery(workflowId, key, 1, new byte[] {1, 2});
    }

    private static Append events() {
        return new Append(1, new byte[] {1, 2, 3}, 5);
    }
}
