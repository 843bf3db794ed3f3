/** Tests of the kinds of steps: sleeps, events, maps and sub-workflows. */
@NullMarked
package dev.dormouse.dag.step;

import org.jspecify.annotations.NullMarked;
