/** Figures: the readings of a turn, and their summary over many turns. */
@NullMarked
package dev.dormouse.benchmarks.measure;

import org.jspecify.annotations.NullMarked;
