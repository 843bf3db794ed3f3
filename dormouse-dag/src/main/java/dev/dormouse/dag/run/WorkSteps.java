package dev.dormouse.dag.run;

import dev.dormouse.ActivityOptions;
import dev.dormouse.ChildOptions;
import dev.dormouse.Promise;
import dev.dormouse.Workflow;
import dev.dormouse.WorkflowInfo;
import dev.dormouse.dag.data.DagErrors;
import dev.dormouse.dag.data.JsonTree;
import dev.dormouse.dag.model.Action;
import dev.dormouse.dag.model.DagDefinition;
import dev.dormouse.dag.model.RateLimit;
import dev.dormouse.dag.model.Step;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.run.Families;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The steps that execute code: activities, one or many, and sub-workflows. Confined to the run's coroutines. */
final class WorkSteps {
    private final DagDefinition dag;
    private final RunData data;
    private final ActivityOptions options;

    WorkSteps(DagDefinition dag, RunData data, ActivityOptions options) {
        this.dag = dag;
        this.data = data;
        this.options = options;
    }

    @Nullable
    Object input(Step step, Map<String, @Nullable Object> seen) {
        return step.input() == null ? data.everything(step, seen) : step.input().fill(seen);
    }

    @Nullable
    Object task(Step step, Action.Task task, Map<String, @Nullable Object> seen) {
        return Workflow.activity(step.id(), task.activity(), options(step, seen), Object.class, input(step, seen));
    }

    private ActivityOptions options(Step step, Map<String, @Nullable Object> seen) {
        ActivityOptions all = options;
        if (step.retry() != null) {
            all = all.withRetry(step.retry());
        }
        if (step.timeout() != null) {
            all = all.withTotalTimeout(step.timeout());
        }
        if (step.isLimited()) {
            all = all.withQueue(DefinitionSource.queue(dag, step.id()));
            String key = key(step.rate(), seen);
            all = key.isEmpty() ? all : all.withRateKey(key);
        }
        return all;
    }

    private static String key(@Nullable RateLimit rate, Map<String, @Nullable Object> seen) {
        if (rate == null || rate.key() == null) {
            return "";
        }
        Object key = rate.key().in(seen);
        return key instanceof String text ? text : JsonTree.json(key);
    }

    // ---- sub-workflows

    @Nullable
    Object sub(Step step, Action.SubWorkflow sub, Map<String, @Nullable Object> seen) {
        String type = sub.isDag() ? Families.named(DagWorkflow.FAMILY) + sub.name() : sub.name();
        Promise<@Nullable Object> child =
                Workflow.child(type, childId(step), childOptions(step, seen), Object.class, input(step, seen));
        Duration timeout = step.timeout();
        if (timeout != null && !child.await(timeout)) {
            child.cancel();
            throw timedOut(step, timeout);
        }
        return child.get();
    }

    /** Contains a part of the run id, so that another run of the same workflow id has sub-workflows of its own. */
    private static String childId(Step step) {
        WorkflowInfo info = Workflow.info();
        String run = info.runId().toString();
        return info.workflowId() + "/" + step.id() + "/" + run.substring(run.lastIndexOf('-') + 1);
    }

    private ChildOptions childOptions(Step step, Map<String, @Nullable Object> seen) {
        if (!step.isLimited()) {
            return ChildOptions.DEFAULT;
        }
        String key = key(step.rate(), seen);
        ChildOptions limited = ChildOptions.DEFAULT.withQueue(DefinitionSource.queue(dag, step.id()));
        return key.isEmpty() ? limited : limited.withRateKey(key);
    }

    static DormouseException timedOut(Step step, Duration timeout) {
        return new DormouseException(
                ErrorCode.DAG_TIMED_OUT,
                "Expected step '" + step.id() + "' to be done within " + timeout
                        + ", but it was not. Give it more time, or see what held it up.");
    }

    // ---- maps

    @Nullable
    Object map(Step step, Action.MapOver map, Map<String, @Nullable Object> seen) {
        Object found = map.over().in(seen);
        if (!(found instanceof List<?> items)) {
            throw DagErrors.data("Expected an array at " + map.over() + " for step '" + step.id() + "', but it is "
                    + JsonTree.kind(found) + ". Correct the path or the data.");
        } else if (items.size() > map.limit()) {
            throw DagErrors.data("Expected at most " + map.limit() + " items at " + map.over() + " for step '"
                    + step.id() + "', but there are " + items.size() + ". Raise its limit, or pass fewer.");
        }
        return new MapItems(items, map.parallelism(), step.timeout(), (index, item) -> item(step, map, index, item))
                .all(step);
    }

    private @Nullable Object item(Step step, Action.MapOver map, int index, @Nullable Object item) {
        Map<String, @Nullable Object> seen = data.with("item", item);
        seen.put("index", index);
        Object input = step.input() == null ? item : step.input().fill(seen);
        String name = step.id() + "[" + index + "]";
        ActivityOptions each = options(step, seen);
        return Workflow.activity(name, map.activity(), each, Object.class, input);
    }
}
