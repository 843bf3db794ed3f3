/**
 * The loops of a node, each on a thread of its own. {@link dev.dormouse.internal.engine.loop.AlarmLoop} claims due
 * runs: start there. {@code QueueLoop} claims from queues, {@code RenewLoop} renews leases, {@code OutboxLoop} delivers
 * messages. Internal: may change at any time.
 */
@NullMarked
package dev.dormouse.internal.engine.loop;

import org.jspecify.annotations.NullMarked;
