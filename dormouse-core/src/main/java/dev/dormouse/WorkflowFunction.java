package dev.dormouse;

import org.jspecify.annotations.Nullable;

/** A workflow as a function. */
@FunctionalInterface
public interface WorkflowFunction<I extends @Nullable Object, O extends @Nullable Object> {
    O run(WorkflowContext ctx, I input) throws Exception;
}
