/** Figures: what a turn has read, and what many turns say together. */
@NullMarked
package dev.dormouse.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
