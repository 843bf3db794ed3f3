/**
 * Deterministic execution of workflow code against its history. Start with {@link dev.dormouse.internal.replay.Replay}.
 * Internal: may change at any time.
 */
@NullMarked
package dev.dormouse.internal.replay;

import org.jspecify.annotations.NullMarked;
