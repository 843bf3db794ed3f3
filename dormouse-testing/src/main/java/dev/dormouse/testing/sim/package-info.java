/**
 * Whole nodes in one JVM on simulated time, one thread at a time, in an order that a seed decides. Internal: it may
 * change in any release.
 *
 * <p>{@link SimWorld} is the scheduler and the clock, {@link SimNode} a process that can be killed, paused and resumed,
 * {@link FaultyStore} its connection to the one {@link dev.dormouse.testing.memory.MemoryStore}, which fails as a
 * {@link FaultProfile} says. What the engine does between two gates or store calls is one indivisible step.
 */
@NullMarked
package dev.dormouse.testing.sim;

import org.jspecify.annotations.NullMarked;
