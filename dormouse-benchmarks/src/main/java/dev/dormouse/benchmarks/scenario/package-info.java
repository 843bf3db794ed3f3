/** The scenarios. They know engines by their capabilities, not by their names. */
@NullMarked
package dev.dormouse.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
