package dev.dormouse.store;

import java.time.Instant;
import java.util.List;

/**
 * What a sweep saw.
 *
 * @param now the store's clock
 * @param epoch changes when the store may have lost commits that it had confirmed (a promoted standby)
 * @param upSince since when the store is up, by its own clock
 * @param overdue whether any alarm in the lanes has passed
 * @param alarms the nearest alarms in the lanes that have not passed, leases included, in order, at most as many as asked
 *     for
 * @param outbox whether the outbox holds anything
 * @param queueOverdue the same as {@code overdue} for the lanes of queues
 * @param queueAlarms the same as {@code alarms} for the lanes of queues
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
