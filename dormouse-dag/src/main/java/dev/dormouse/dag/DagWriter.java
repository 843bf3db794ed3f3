package dev.dormouse.dag;

import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.data.Template;
import dev.dormouse.dag.model.Action;
import dev.dormouse.dag.model.DagDefinition;
import dev.dormouse.dag.model.RateLimit;
import dev.dormouse.dag.model.SleepTime;
import dev.dormouse.dag.model.Step;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A writer of definitions as the JSON trees that {@link DagReader} reads. Fields with default values are left out. */
final class DagWriter {
    private DagWriter() {}

    static Map<String, @Nullable Object> tree(DagDefinition dag) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("name", dag.name());
        tree.put("version", dag.version());
        put(tree, "runLimit", dag.runLimit() == 0 ? null : dag.runLimit());
        put(tree, "idempotencyKey", dag.idempotencyKey());
        put(tree, "singleton", dag.singleton() ? true : null);
        if (dag.cancelOn() != null) {
            tree.put("cancelOn", event(dag.cancelOn().event(), dag.cancelOn().match()));
        }
        put(tree, "runTimeout", dag.runTimeout());
        put(tree, "maxSleep", dag.maxSleep().equals(DagDefinition.MAX_SLEEP) ? null : dag.maxSleep());
        if (dag.output() != null) {
            tree.put("output", dag.output().tree());
        }
        tree.put("steps", dag.steps().stream().map(DagWriter::step).toList());
        return tree;
    }

    /** Writes durations, paths and ids as texts. Ignores null. */
    private static void put(Map<String, @Nullable Object> tree, String name, @Nullable Object value) {
        if (value != null) {
            tree.put(name, value instanceof Number || value instanceof Boolean ? value : value.toString());
        }
    }

    private static Map<String, @Nullable Object> event(String event, Map<String, Template> match) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("event", event);
        if (!match.isEmpty()) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            match.forEach((path, value) -> values.put(path, value.tree()));
            tree.put("match", values);
        }
        return tree;
    }

    private static Map<String, @Nullable Object> step(Step step) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("id", step.id());
        tree.put(step.action().kind(), action(step.action()));
        if (!step.after().isEmpty()) {
            tree.put("after", step.after());
        }
        if (step.input() != null) {
            tree.put("input", step.input().tree());
        }
        put(tree, "timeout", step.timeout());
        if (step.retry() != null) {
            tree.put("retry", retry(step.retry()));
        }
        if (step.skipIf() != null) {
            tree.put("skipIf", step.skipIf().tree());
        }
        put(tree, "onFailure", step.onFailure());
        put(tree, "compensate", step.compensate());
        if (step.rate() != null) {
            tree.put("rateLimit", rate(step.rate()));
        }
        put(tree, "concurrency", step.concurrency() == 0 ? null : step.concurrency());
        return tree;
    }

    private static Object action(Action action) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        if (action instanceof Action.Task task) {
            return task.activity();
        } else if (action instanceof Action.Sleep sleep) {
            return sleep(sleep.time(), tree);
        } else if (action instanceof Action.WaitForEvent wait) {
            tree = event(wait.event(), wait.match());
            put(tree, "timeout", wait.timeout());
        } else if (action instanceof Action.Approval approval) {
            put(tree, "timeout", approval.timeout());
            put(tree, "ask", approval.ask());
        } else if (action instanceof Action.MapOver map) {
            tree.put("activity", map.activity());
            put(tree, "over", map.over());
            tree.put("parallelism", map.parallelism());
            tree.put("limit", map.limit());
        } else if (action instanceof Action.SubWorkflow sub) {
            return sub.isDag() ? sub.name() : Map.of("type", sub.name());
        }
        return tree;
    }

    private static Object sleep(SleepTime time, Map<String, @Nullable Object> tree) {
        if (time instanceof SleepTime.For fixed) {
            put(tree, "for", fixed.duration());
        } else if (time instanceof SleepTime.ForPath by) {
            put(tree, "for", by.path());
        } else if (time instanceof SleepTime.Until until) {
            put(tree, "until", until.instant());
        } else if (time instanceof SleepTime.UntilPath by) {
            put(tree, "until", by.path());
        } else if (time instanceof SleepTime.Next next) {
            put(tree, "cron", next.cron().cron());
            put(tree, "zone", next.cron().zone());
        }
        return tree;
    }

    private static Object rate(RateLimit rate) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        tree.put("number", rate.number());
        put(tree, "period", rate.period());
        put(tree, "key", rate.key());
        return tree;
    }

    private static Object retry(RetryPolicy policy) {
        Map<String, @Nullable Object> tree = new LinkedHashMap<>();
        put(tree, "initialInterval", policy.initialInterval());
        tree.put("coefficient", policy.backoffCoefficient());
        put(tree, "largestInterval", policy.maxInterval());
        tree.put("jitter", policy.jitter());
        tree.put("attempts", policy.maxAttempts());
        put(tree, "totalTime", policy.maxDuration().orElse(null));
        if (!policy.nonRetryable().isEmpty()) {
            tree.put("nonRetryable", List.copyOf(new TreeSet<>(policy.nonRetryable())));
        }
        return tree;
    }
}
