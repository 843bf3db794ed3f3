/** Dormouse itself. */
@NullMarked
package dev.dormouse.benchmarks.system.dormouse;

import org.jspecify.annotations.NullMarked;
