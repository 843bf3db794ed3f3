/** Timers that do not belong to a workflow, set in Java or in SQL. */
@NullMarked
package dev.dormouse.timer;

import org.jspecify.annotations.NullMarked;
