/** Counters, monitors and log lines about what a node does and what fails. Internal: may change at any time. */
@NullMarked
package dev.dormouse.internal.engine.observe;

import org.jspecify.annotations.NullMarked;
