package dev.dormouse;

/**
 * One attempt of a timer to fire.
 *
 * @param attempt from 1; a node that died in an attempt counts as one
 * @param idempotencyKey the same in all attempts, for whoever must do a thing once
 */
public record TimerFiring(TimerId id, int attempt, String idempotencyKey) {}
