/**
 * Runs in memory: activations, steps, commits and pauses. Internal: may change at any time.
 *
 * <p>Start with {@link dev.dormouse.internal.engine.run.RunExecution}, the life of a run in memory. Then read
 *
 * <ul>
 *   <li>{@code RunSession}: one activation of a run, and the order of its inputs
 *   <li>{@code Committer}: the outcomes of a commit, and lost answers
 *   <li>{@code Pauses}: parked and waiting runs
 *   <li>{@code Steps}: steps in flight, and what becomes of them when the node closes
 *   <li>{@code RunInbox}: the order of messages
 * </ul>
 */
@NullMarked
package dev.dormouse.internal.engine.run;

import org.jspecify.annotations.NullMarked;
