/** What is measured. Scenarios know engines by what they can do, not by their names. */
@NullMarked
package dev.dormouse.benchmarks.scenario;

import org.jspecify.annotations.NullMarked;
