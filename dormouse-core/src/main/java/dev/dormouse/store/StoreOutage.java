package dev.dormouse.store;

import java.time.Duration;

/**
 * A time in which a node could not use its store as it should.
 *
 * @param lasting for how long it has lasted
 * @param reason the error of the store; may name hosts and files
 */
public record StoreOutage(StoreTrouble trouble, Duration lasting, String reason) {}
