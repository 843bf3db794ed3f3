/**
 * The execution of workflow code by replaying its history. Start with {@link dev.dormouse.replay.Replay}. Not part of the
 * public API.
 */
@NullMarked
package dev.dormouse.replay;

import org.jspecify.annotations.NullMarked;
