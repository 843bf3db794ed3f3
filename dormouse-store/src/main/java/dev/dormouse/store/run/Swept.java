package dev.dormouse.store.run;

import java.time.Instant;
import java.util.List;

/**
 * The result of a {@link Sweep}.
 *
 * @param now the store's clock
 * @param epoch an identifier that changes when the store may have lost commits that it had confirmed (a promoted
 *     standby)
 * @param upSince when the store started, by its own clock
 * @param overdue true if any alarm in the lanes has passed
 * @param alarms the nearest alarms in the lanes that have not passed, lease ends included, in order; at most as many as
 *     requested
 * @param outbox true if the outbox is not empty
 * @param queueOverdue true if any alarm in the lanes of queues has passed
 * @param queueAlarms the nearest alarms in the lanes of queues that have not passed, in order; at most as many as
 *     requested
 */
public record Swept(
        Instant now,
        String epoch,
        Instant upSince,
        boolean overdue,
        List<Instant> alarms,
        boolean outbox,
        boolean queueOverdue,
        List<Instant> queueAlarms) {}
