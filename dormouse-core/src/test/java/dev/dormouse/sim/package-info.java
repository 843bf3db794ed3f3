/**
 * Whole nodes in one JVM on simulated time, one thread at a time, in an order that a seed decides.
 *
 * <p>{@link dev.dormouse.sim.SimWorld} is the scheduler and the clock, {@link dev.dormouse.sim.SimNode} a process that
 * can be killed, paused and resumed, {@link dev.dormouse.sim.FaultyStore} its connection to the one
 * {@link dev.dormouse.store.MemoryStore}, which fails as a {@link dev.dormouse.sim.FaultProfile} says. What the engine
 * does between two gates or store calls is one indivisible step.
 */
package dev.dormouse.sim;
