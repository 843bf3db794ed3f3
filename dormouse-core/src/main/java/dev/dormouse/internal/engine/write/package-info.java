/** Group commits: writers that merge the requests of many runs into batches. Internal: may change at any time. */
@NullMarked
package dev.dormouse.internal.engine.write;

import org.jspecify.annotations.NullMarked;
