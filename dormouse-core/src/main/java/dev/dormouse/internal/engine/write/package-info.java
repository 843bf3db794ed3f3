/**
 * Group commits: writers that merge the requests of many runs into batches. {@link dev.dormouse.internal.engine.write.Batcher} sends entries with unknown outcomes again: start
 * there. Internal: may change at any time.
 */
@NullMarked
package dev.dormouse.internal.engine.write;

import org.jspecify.annotations.NullMarked;
