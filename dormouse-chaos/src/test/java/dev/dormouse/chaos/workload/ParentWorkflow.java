package dev.dormouse.chaos.workload;

import dev.dormouse.ChildOptions;
import dev.dormouse.Promise;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowFunction;

/** A workflow with two children, which execute the script of its input. */
public final class ParentWorkflow implements WorkflowFunction<String, String> {
    public static final String TYPE = "family";

    @Override
    public String run(WorkflowContext ctx, String script) {
        Promise<String> first = child(ctx, "-first", script);
        Promise<String> second = child(ctx, "-second", script);
        return first.get() + " " + second.get();
    }

    private static Promise<String> child(WorkflowContext ctx, String suffix, String script) {
        return ctx.child(
                ScriptWorkflow.TYPE,
                ctx.info().workflowId() + suffix,
                ChildOptions.DEFAULT,
                String.class,
                script.replace('+', ' '));
    }
}
