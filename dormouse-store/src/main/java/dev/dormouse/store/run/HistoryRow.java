package dev.dormouse.store.run;

import java.time.Instant;
import java.util.UUID;

/**
 * The events of one commit as they are stored.
 *
 * @param seq the number of the first event in this row, from 0
 * @param count the number of events in this row
 * @param at when the store accepted the commit
 * @param checksum the checksum of the whole history up to and including this row
 */
public record HistoryRow(UUID runId, int seq, int count, Instant at, long checksum, byte[] payload) {}
