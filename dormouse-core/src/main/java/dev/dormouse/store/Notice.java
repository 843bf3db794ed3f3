package dev.dormouse.store;

import java.time.Instant;
import java.util.UUID;

/** Tells other nodes of something they should not learn only at their next sweep. It may be lost. */
public sealed interface Notice {

    /** A run in this lane has its alarm at this instant, and who set it cannot act on it. */
    record AlarmSet(int shard, String lane, Instant at) implements Notice {}

    /** Mail came in for a run that this node holds. */
    record MailArrived(String owner, UUID runId) implements Notice {}

    /** A run was closed from outside, or its lease is otherwise gone: its owner should see whether it must stop it. */
    record LeaseLost(String owner, UUID runId) implements Notice {}

    /** Somebody waits for this run to close, and asks to be told. */
    record Watched(UUID runId) implements Notice {}

    /** A watched run closed, or has answered an update. */
    record Closed(UUID runId) implements Notice {}

    /** Somebody has asked a question that a node with this lane's code must answer. */
    record Asked(int shard, String lane) implements Notice {}

    /** Somebody has put something into an outbox, and cannot move it. */
    record OutboxFilled() implements Notice {}

    /** This question has its answer. */
    record Replied(UUID question) implements Notice {}
}
