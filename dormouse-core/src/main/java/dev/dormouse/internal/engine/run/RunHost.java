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

    /** Wakes the outbox loop, after a commit has added items to an outbox. */
    void outboxFilled();

    /** Schedules the commit of deferred results, which follows within milliseconds even if the run's thread is busy. */
    void resultsDeferred();

    /** Notifies callers, on any node, whose updates these events answer. Called after their commit. */
    void answered(UUID runId, List<Event> events);

    /**
     * Notifies callers, on any node, that wait for a run. Called after the commit that closed it; later callers read
     * the store.
     */
    void closed(UUID runId, Event closing);

    /** Reports that a run has left this node's memory, closed or not. */
    void left(UUID runId, int shard, String lane);

    /**
     * Reports a run that leaves memory because the store has changed. It resumes on this node if the store still has
     * it under one of these leases.
     */
    void lost(int shard, UUID runId, Set<Long> leases);

    /**
     * Reports a run whose commit or renewal was fenced, and sweeps at once. It resumes on this node if the store
     * still has it under one of these leases.
     */
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
