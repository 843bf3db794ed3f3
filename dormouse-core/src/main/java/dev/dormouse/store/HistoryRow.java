package dev.dormouse.store;

import java.time.Instant;
import java.util.UUID;

/**
 * One commit's events as they were stored.
 *
 * @param seq number of the first event in this row, from 0
 * @param count how many events it holds
 * @param at when the store accepted the commit
 * @param checksum of the whole history up to and including this row
 */
public record HistoryRow(UUID runId, int seq, int count, Instant at, long checksum, byte[] payload) {}
