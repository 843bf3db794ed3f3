/** The benchmark of {@code ./dormouse bench}: Dormouse and its peers, in turns, on one database server. */
@NullMarked
package dev.dormouse.benchmarks;

import org.jspecify.annotations.NullMarked;
