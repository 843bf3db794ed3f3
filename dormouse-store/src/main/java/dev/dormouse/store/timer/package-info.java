/** Timers that are set in SQL. */
@NullMarked
package dev.dormouse.store.timer;

import org.jspecify.annotations.NullMarked;
