/** The capabilities of engines that are measured. */
@NullMarked
package dev.dormouse.benchmarks.system;

import org.jspecify.annotations.NullMarked;
