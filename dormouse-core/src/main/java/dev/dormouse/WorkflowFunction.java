package dev.dormouse;

import org.jspecify.annotations.Nullable;

/** A workflow as a function. Must be thread-safe: several runs call it at the same time. */
@FunctionalInterface
public interface WorkflowFunction<I extends @Nullable Object, O extends @Nullable Object> {
    /**
     * Executes the workflow and returns its result.
     *
     * @throws Exception any exception; it fails the run
     */
    O run(WorkflowContext ctx, I input) throws Exception;
}
