/**
 * Runs in memory: activations, steps, commits and pauses. Internal: may change at any time.
 *
 * <p>Start with {@link dev.dormouse.internal.engine.run.RunExecution} (the life of a run in memory), then read {@code
 * RunSession} (one activation), {@code Committer} (outcomes of a commit), {@code Pauses} (waiting), {@code Steps} and
 * {@code RunInbox} (the order of messages).
 */
@NullMarked
package dev.dormouse.internal.engine.run;

import org.jspecify.annotations.NullMarked;
