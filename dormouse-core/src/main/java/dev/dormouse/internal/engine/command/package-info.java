/**
 * The requests of callers and other runs to a run: start, message, query, cancel, terminate, reset. Internal: may
 * change at any time.
 */
@NullMarked
package dev.dormouse.internal.engine.command;

import org.jspecify.annotations.NullMarked;
