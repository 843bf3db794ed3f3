/**
 * Simulation: whole nodes in one JVM on simulated time, one thread at a time, in an order that a seed decides.
 * Internal: it may change in any release.
 *
 * <p>{@link SimWorld} is the scheduler and the clock. {@link SimNode} is a process that can be killed, paused and
 * resumed. {@link FaultyStore} is its connection to the shared {@link dev.dormouse.testing.memory.MemoryStore}, with
 * the faults of a {@link FaultProfile}. The engine's work between two gates or store calls is one indivisible step.
 */
@NullMarked
package dev.dormouse.testing.sim;

import org.jspecify.annotations.NullMarked;
