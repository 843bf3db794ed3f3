/** The implementation of timers as runs. */
@NullMarked
package dev.dormouse.internal.timer;

import org.jspecify.annotations.NullMarked;
