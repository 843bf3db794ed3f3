package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.history.Event;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The node as its runs and commands see it: everything that they ask of its loops and tables. Thread-safe. No method
 * blocks, except on the store where its comment says so.
 */
public interface RunHost {
    /** Makes this node claim due runs of {@code lane} at {@code alarm}. */
    void arm(String lane, Instant alarm);

    /** Makes this node sweep now for runs whose alarms it may have missed. */
    void sweepNow();

    /** Called after items were added to an outbox. */
    void outboxFilled();

    /** Called after results of a run were deferred: they are committed within milliseconds even if its thread is busy. */
    void resultsDeferred();

    /** Called after a commit of a run with these events. Notifies callers, on any node, whose updates they answer. */
    void answered(UUID runId, List<Event> events);

    /** Called after the commit that closed a run. Notifies waiting callers on any node; later callers read the store. */
    void closed(UUID runId, Event closing);

    /** Called after a run has left this node's memory, whether it is closed or not. */
    void left(UUID runId, int shard, String lane);

    /**
     * Called when a run leaves memory because the store has changed. It resumes here if the store still has it under one of
     * these leases.
     */
    void lost(int shard, UUID runId, Set<Long> leases);

    /** Called when a commit or renewal of a run was fenced. Like {@link #lost}, and looks at the store at once. */
    void fenced(int shard, UUID runId, Set<Long> leases);

    /** Returns true if this node executes runs of this type in this lane. */
    boolean serves(String type, String lane);

    /** Returns true if this node or another living one executes runs of this type. Retries until the store answers. */
    boolean isServed(int shard, String type);

    /**
     * Returns the builds of living nodes that execute this type, this node's included. Retries until the store
     * answers.
     */
    Set<String> liveBuilds(int shard, String type);
}
