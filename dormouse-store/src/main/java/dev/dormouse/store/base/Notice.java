package dev.dormouse.store.base;

import java.time.Instant;
import java.util.UUID;

/** A notification to other nodes about something that should not wait for their next sweep. It may be lost. */
public sealed interface Notice {

    /** A run in this lane has its alarm at this instant, and the process that set it cannot act on it. */
    record AlarmSet(int shard, String lane, Instant at) implements Notice {}

    /** A message arrived for a run that this node holds. */
    record MailArrived(String owner, UUID runId) implements Notice {}

    /** A run was closed from outside or has lost its lease otherwise. Its owner should check whether to stop it. */
    record LeaseLost(String owner, UUID runId) implements Notice {}

    /** A caller waits for this run to close and wants to be notified. */
    record Watched(UUID runId) implements Notice {}

    /** A watched run has closed or has answered an update. */
    record Closed(UUID runId) implements Notice {}

    /** A question waits for an answer from a node that has the code of this lane. */
    record Asked(int shard, String lane) implements Notice {}

    /** An item was added to an outbox by a process that cannot forward it. */
    record OutboxFilled() implements Notice {}

    /** This question has been answered. */
    record Replied(UUID question) implements Notice {}
}
