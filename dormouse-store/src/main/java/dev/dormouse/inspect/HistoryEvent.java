package dev.dormouse.inspect;

import java.time.Instant;

/**
 * One event of a run's history. Immutable.
 *
 * @param seq the position in the history, from 0
 * @param at the time of the event, by the store's clock
 * @param kind the kind of event, such as {@code StepCompleted}, or the kind passed to {@code Workflow.addNote}
 * @param summary a short description
 */
public record HistoryEvent(int seq, Instant at, String kind, String summary) {}
