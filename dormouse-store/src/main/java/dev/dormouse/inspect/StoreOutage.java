package dev.dormouse.inspect;

import java.time.Duration;

/**
 * A period in which a node cannot use its store normally.
 *
 * @param trouble the kind of outage
 * @param lasting how long it has lasted
 * @param reason the error of the store; may contain the names of hosts and files
 */
public record StoreOutage(StoreTrouble trouble, Duration lasting, String reason) {}
