/**
 * Polling another system for hours: one activity looks, and pauses until it looks again, without a thread and without
 * workflow code for it. The pause survives a crash, and one timeout limits the whole wait.
 */
@NullMarked
package dev.dormouse.examples.polling;

import org.jspecify.annotations.NullMarked;
