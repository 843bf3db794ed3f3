/** Dormouse nodes in separate processes, and the text protocol to control them. */
@NullMarked
package dev.dormouse.benchmarks.system.dormouse.node;

import org.jspecify.annotations.NullMarked;
