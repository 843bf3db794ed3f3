package dev.dormouse.store.run;

import java.util.UUID;

/** A lease to be renewed. It applies only while the run still executes under exactly this lease. */
public record Renewal(UUID runId, long lease) {}
