package dev.dormouse.store;

import java.util.UUID;

/**
 * What a step in flight has said of its progress.
 *
 * @param lease the lease of the run under which the step executes
 * @param call which step of the run it is
 * @param attempt a note of an earlier attempt never takes the place of one of a later
 * @param payload what was said, for the engine to know; stores keep it as it is
 */
public record Note(UUID runId, long lease, int call, int attempt, byte[] payload) {}
