/** What callers and other runs ask of a run: start, message, query, cancel, reset. Internal: may change at any time. */
@NullMarked
package dev.dormouse.internal.engine.command;

import org.jspecify.annotations.NullMarked;
