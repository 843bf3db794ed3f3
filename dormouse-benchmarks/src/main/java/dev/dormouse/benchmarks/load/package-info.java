/** Load generators: many operations at a time, repeatedly, and their measurements. */
@NullMarked
package dev.dormouse.benchmarks.load;

import org.jspecify.annotations.NullMarked;
