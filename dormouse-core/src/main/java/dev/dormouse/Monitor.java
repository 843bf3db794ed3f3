package dev.dormouse;

import dev.dormouse.internal.engine.observe.EngineMonitor;

/**
 * A listener for events on a node: for metrics, traces and tests. Every method has a default that does nothing.
 *
 * <p>The engine calls it from several of its own threads at the same time. An implementation must be thread-safe, and
 * must return at once without blocking. Exceptions that it throws are logged and otherwise ignored. Every method is
 * called after the commit that makes the event true.
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
