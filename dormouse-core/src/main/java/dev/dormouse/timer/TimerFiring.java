package dev.dormouse.timer;

/**
 * One attempt of a timer's handler. Immutable.
 *
 * @param id the id of the timer
 * @param attempt the number of the attempt, from 1; an attempt whose node died counts
 * @param idempotencyKey the same in all attempts; for external systems that must execute a request only once
 */
public record TimerFiring(TimerId id, int attempt, String idempotencyKey) {}
