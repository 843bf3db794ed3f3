/** What an engine can do, as far as it is measured. */
@NullMarked
package dev.dormouse.benchmarks.system;

import org.jspecify.annotations.NullMarked;
