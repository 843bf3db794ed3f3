/** A run in memory: its activations, steps, commits and pauses. Internal: may change at any time. */
@NullMarked
package dev.dormouse.internal.engine.run;

import org.jspecify.annotations.NullMarked;
