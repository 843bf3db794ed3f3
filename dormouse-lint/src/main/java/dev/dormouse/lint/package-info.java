/**
 * A check of compiled workflow code. A run is replayed after a crash, so its code must not read clocks or randomness,
 * wait outside of Dormouse, or do I/O; steps and activities may. {@link dev.dormouse.lint.WorkflowLint} reads class
 * files, follows the calls of workflow methods, and reports the places. It never loads or runs the classes.
 */
@NullMarked
package dev.dormouse.lint;

import org.jspecify.annotations.NullMarked;
