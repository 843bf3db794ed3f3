/** CPU profiles of scenarios as flame graphs. */
@NullMarked
package dev.dormouse.benchmarks.profile;

import org.jspecify.annotations.NullMarked;
