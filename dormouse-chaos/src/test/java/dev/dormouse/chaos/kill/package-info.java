/** Tests that kill processes: runs, activities, timers and transactions survive. */
@NullMarked
package dev.dormouse.chaos.kill;

import org.jspecify.annotations.NullMarked;
