package dev.dormouse.store.run;

import dev.dormouse.store.Store;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;

/**
 * The result of {@link Store#renew}.
 *
 * @param now the store's clock
 * @param mail the mail counter of each run that still executes under its lease; the node has lost every run that is
 *     missing here
 */
public record Renewed(Instant now, Map<UUID, Long> mail) {}
