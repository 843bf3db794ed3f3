package dev.dormouse.store;

import java.time.Instant;
import java.util.List;

/**
 * What a sweep saw.
 *
 * @param now the store's clock
 * @param epoch changes when the store may have lost commits that it had confirmed (a promoted standby)
 * @param upSince since when the store is up, by its own clock
 * @param alarms the nearest alarms in the lanes, leases included, overdue ones first, at most as many as asked for
 * @param outbox whether the outbox holds anything
 */
public record Swept(Instant now, String epoch, Instant upSince, List<Instant> alarms, boolean outbox) {}
