/** Microbenchmarks without a database, measured with JMH. */
@NullMarked
package dev.dormouse.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
