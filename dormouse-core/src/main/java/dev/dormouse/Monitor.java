package dev.dormouse;

import dev.dormouse.engine.EngineMonitor;

/**
 * Is told what happens on a node: for metrics, traces and tests. Every method has a default that does nothing.
 *
 * <p>Called by the engine's own threads, from many at once: an implementation is thread-safe, returns at once, and waits for
 * nothing. What it throws is logged, and changes nothing. Everything is told after the commit that makes it true.
 *
 * <pre>{@code
 * Dormouse.builder().monitor(new Monitor() {
 *   @Override public void runClosed(RunClosed run) {
 *     System.out.println(run.workflowId() + " " + run.status() + " after " + run.open());
 *   }
 * })
 * }</pre>
 */
public interface Monitor extends EngineMonitor {}
