/**
 * Fan-out and fan-in: many parts are processed in parallel, a few at a time, and the results are merged.
 * If a part fails for good, so does the run; a retry repeats only the parts that have no result.
 */
@NullMarked
package dev.dormouse.examples.wordcount;

import org.jspecify.annotations.NullMarked;
