/**
 * Counters, monitors and log lines about what a node does and what fails. {@code StoreWatch} logs outages of the store,
 * {@code FailureLog} failures of user code, and {@code LeaseLog} takeovers. Internal: may change at any time.
 */
@NullMarked
package dev.dormouse.internal.engine.observe;

import org.jspecify.annotations.NullMarked;
