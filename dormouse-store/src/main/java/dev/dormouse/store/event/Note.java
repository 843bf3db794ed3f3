package dev.dormouse.store.event;

import java.util.UUID;

/**
 * The progress that a step in flight has reported.
 *
 * @param lease the run's lease under which the step executes
 * @param call the number of the step's call in the run
 * @param attempt the number of the attempt; a note of an earlier attempt never replaces one of a later attempt
 * @param payload the encoded progress, defined by the engine; stores keep it unchanged
 */
public record Note(UUID runId, long lease, int call, int attempt, byte[] payload) {}
