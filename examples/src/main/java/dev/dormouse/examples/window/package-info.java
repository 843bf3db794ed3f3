/**
 * A sliding window: of any number of children, a fixed number is open at a time, and the next starts as soon as one ends.
 * The children outlive the runs of their parent, which continues as new, and report to it with a signal.
 */
@NullMarked
package dev.dormouse.examples.window;

import org.jspecify.annotations.NullMarked;
