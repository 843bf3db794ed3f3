/** Work for engines: many at a time, again and again, and what comes of it. */
@NullMarked
package dev.dormouse.benchmarks.load;

import org.jspecify.annotations.NullMarked;
