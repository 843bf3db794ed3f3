/**
 * Group commits: writers that merge the requests of many runs into batches. Start with {@link
 * dev.dormouse.internal.engine.write.Batcher}, which sends entries with unknown outcomes again. Internal: may change at
 * any time.
 */
@NullMarked
package dev.dormouse.internal.engine.write;

import org.jspecify.annotations.NullMarked;
