package dev.dormouse.store;

import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * What a renewal reached.
 *
 * @param now the store's clock
 * @param mail the mail counter of each run that still executes under its lease; a run that is missing is lost
 */
public record Renewed(Instant now, Map<UUID, Long> mail) {}
