/**
 * Dormouse among real processes: workers are programs of their own that tests kill, stop and cut off. What they do is
 * written to a journal that survives them, and compared with what the store says.
 */
@NullMarked
package dev.dormouse.chaos;

import org.jspecify.annotations.NullMarked;
