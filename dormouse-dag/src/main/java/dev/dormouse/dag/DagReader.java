package dev.dormouse.dag;

import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.data.Condition;
import dev.dormouse.dag.data.DagErrors;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A reader of definitions from JSON trees: every field becomes a call of the builder. */
final class DagReader {
    private static final List<String> KINDS =
            List.of("task", "sleep", "waitForEvent", "approval", "map", "subWorkflow");

    private final DagBuilder dag;

    private DagReader(DagBuilder dag) {
        this.dag = dag;
    }

    static Dag read(@Nullable Object tree) {
        JsonFields fields = JsonFields.of(tree, "$");
        DagReader reader = new DagReader(Dag.workflow(fields.text("name")));
        reader.workflow(fields);
        return reader.dag.build();
    }

    private void workflow(JsonFields fields) {
        fields.ifPresent("version", fields::number, dag::version);
        fields.ifPresent("runLimit", fields::number, dag::runLimit);
        fields.ifPresent("idempotencyKey", fields::text, dag::idempotencyKey);
        fields.ifPresent("singleton", fields::flag, yes -> {
            if (yes) {
                dag.singleton();
            }
        });
        fields.ifPresent("cancelOn", fields::object, this::cancelOn);
        fields.ifPresent("runTimeout", fields::duration, dag::runTimeout);
        fields.ifPresent("maxSleep", fields::duration, dag::maxSleep);
        if (fields.has("output")) {
            fields.at("output", () -> dag.output(fields.get("output")));
        }
        List<?> steps = fields.list("steps");
        for (int i = 0; i < steps.size(); i++) {
            step(JsonFields.of(steps.get(i), fields.path("steps") + "[" + i + "]"));
        }
        if (fields.has("$schema")) {
            fields.text("$schema");
        }
        fields.checkAllKnown();
    }

    private void cancelOn(JsonFields fields) {
        String event = fields.text("event");
        fields.at("match", () -> dag.cancelOn(event, match(fields)));
        fields.checkAllKnown();
    }

    private static Map<String, ?> match(JsonFields fields) {
        return fields.has("match") ? fields.map("match") : Map.of();
    }

    // ---- steps

    private void step(JsonFields fields) {
        String id = fields.text("id");
        List<String> kinds = KINDS.stream().filter(fields::has).toList();
        if (kinds.size() != 1) {
            throw DagErrors.of("Expected a step to have one of " + KINDS + ", but step '" + id + "' at "
                    + fields.path("id") + " has " + (kinds.isEmpty() ? "none" : kinds) + ". Correct it.");
        }
        String kind = kinds.get(0);
        fields.at(kind, () -> action(id, kind, fields));
        more(fields);
        fields.checkAllKnown();
    }

    private void action(String id, String kind, JsonFields fields) {
        switch (kind) {
            case "task" -> dag.task(id, fields.text(kind));
            case "sleep" -> sleep(id, fields.object(kind));
            case "waitForEvent" -> waitForEvent(id, fields.object(kind));
            case "approval" -> approval(id, fields.object(kind));
            case "map" -> map(id, fields.object(kind));
            default -> subWorkflow(id, fields);
        }
    }

    private void sleep(String id, JsonFields fields) {
        List<String> forms =
                List.of("for", "until", "cron").stream().filter(fields::has).toList();
        if (forms.size() != 1) {
            throw DagErrors.of("Expected a sleep to have one of [for, until, cron], but step '" + id + "' at "
                    + fields.path() + " has " + (forms.isEmpty() ? "none" : forms)
                    + ". Leave one form.");
        }
        switch (forms.get(0)) {
            case "for" -> sleepFor(id, fields);
            case "until" -> sleepUntil(id, fields);
            default -> dag.sleepUntil(id, fields.text("cron"), zone(fields));
        }
        fields.checkAllKnown();
    }

    private void sleepFor(String id, JsonFields fields) {
        String text = fields.text("for");
        if (text.startsWith("$")) {
            dag.sleep(id, text);
        } else {
            dag.sleep(id, fields.duration("for"));
        }
    }

    private void sleepUntil(String id, JsonFields fields) {
        String text = fields.text("until");
        if (text.startsWith("$")) {
            dag.sleepUntil(id, text);
            return;
        }
        try {
            dag.sleepUntil(id, OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException notOne) {
            throw JsonFields.bad(fields.path("until"), "an instant such as 2027-01-31T09:00:00Z, or a path", text);
        }
    }

    private static ZoneId zone(JsonFields fields) {
        try {
            return fields.has("zone") ? ZoneId.of(fields.text("zone")) : ZoneId.of("UTC");
        } catch (DateTimeException notOne) {
            throw JsonFields.bad(fields.path("zone"), "a time zone such as Europe/Berlin", fields.get("zone"));
        }
    }

    private void waitForEvent(String id, JsonFields fields) {
        dag.waitForEvent(id, fields.text("event"), match(fields), fields.duration("timeout"));
        fields.checkAllKnown();
    }

    private void approval(String id, JsonFields fields) {
        dag.approval(id, fields.duration("timeout"));
        fields.ifPresent("ask", fields::text, dag::ask);
        fields.checkAllKnown();
    }

    private void map(String id, JsonFields fields) {
        dag.map(id, fields.text("activity"), fields.text("over"));
        fields.ifPresent("parallelism", fields::number, dag::parallelism);
        fields.ifPresent("limit", fields::number, dag::limit);
        fields.checkAllKnown();
    }

    private void subWorkflow(String id, JsonFields step) {
        if (step.get("subWorkflow") instanceof String name) {
            dag.subWorkflow(id, name);
            return;
        }
        JsonFields fields = step.object("subWorkflow");
        dag.subWorkflowType(id, fields.text("type"));
        fields.checkAllKnown();
    }

    // ---- configuration of a step

    private void more(JsonFields fields) {
        fields.ifPresent("after", fields::list, list -> {
            for (int i = 0; i < list.size(); i++) {
                if (!(list.get(i) instanceof String id)) {
                    throw JsonFields.bad(fields.path("after") + "[" + i + "]", "the id of a step", list.get(i));
                }
                dag.after(id);
            }
        });
        if (fields.has("input")) {
            fields.at("input", () -> dag.input(fields.get("input")));
        }
        fields.ifPresent("timeout", fields::duration, dag::timeout);
        fields.ifPresent("retry", fields::object, retry -> dag.retry(retry(retry)));
        fields.ifPresent("skipIf", fields::object, condition -> dag.skipIf(condition(condition)));
        fields.ifPresent("onFailure", fields::text, dag::onFailure);
        fields.ifPresent("compensate", fields::text, dag::compensate);
        fields.ifPresent("rateLimit", fields::object, this::rateLimit);
        fields.ifPresent("concurrency", fields::number, dag::concurrency);
    }

    private void rateLimit(JsonFields fields) {
        if (fields.has("key")) {
            dag.rateLimit(fields.number("number"), fields.duration("period"), fields.text("key"));
        } else {
            dag.rateLimit(fields.number("number"), fields.duration("period"));
        }
        fields.checkAllKnown();
    }

    private static RetryPolicy retry(JsonFields fields) {
        RetryPolicy[] policy = {RetryPolicy.DEFAULT};
        fields.ifPresent("initialInterval", fields::duration, time -> policy[0] = policy[0].withInitialInterval(time));
        fields.ifPresent(
                "coefficient", fields::decimal, number -> policy[0] = policy[0].withBackoffCoefficient(number));
        fields.ifPresent("largestInterval", fields::duration, time -> policy[0] = policy[0].withMaxInterval(time));
        fields.ifPresent("jitter", fields::decimal, number -> policy[0] = policy[0].withJitter(number));
        fields.ifPresent("attempts", fields::number, number -> policy[0] = policy[0].withMaxAttempts(number));
        fields.ifPresent("totalTime", fields::duration, time -> policy[0] = policy[0].withMaxDuration(time));
        fields.ifPresent("nonRetryable", fields::list, names -> {
            for (Object name : names) {
                if (!(name instanceof String type)) {
                    throw JsonFields.bad(fields.path("nonRetryable"), "names of exceptions", name);
                }
                policy[0] = policy[0].withNonRetryable(type);
            }
        });
        fields.checkAllKnown();
        return policy[0];
    }

    // ---- conditions

    private static Condition condition(JsonFields fields) {
        Condition found = fields.has("path") ? comparison(fields) : joined(fields);
        fields.checkAllKnown();
        return found;
    }

    private static Condition joined(JsonFields fields) {
        if (fields.has("all")) {
            return Condition.all(conditions(fields, "all"));
        } else if (fields.has("any")) {
            return Condition.any(conditions(fields, "any"));
        } else if (fields.has("not")) {
            return Condition.not(condition(fields.object("not")));
        }
        throw DagErrors.of("Expected a condition to have one of [path, all, any, not], but the one at "
                + fields.path("path") + " has none. Add one.");
    }

    private static Condition[] conditions(JsonFields fields, String name) {
        List<?> list = fields.list(name);
        Condition[] conditions = new Condition[list.size()];
        for (int i = 0; i < conditions.length; i++) {
            conditions[i] = condition(JsonFields.of(list.get(i), fields.path(name) + "[" + i + "]"));
        }
        return conditions;
    }

    private static Condition comparison(JsonFields fields) {
        Condition.Subject subject = Condition.at(fields.text("path"));
        if (fields.has("is")) {
            return subject.is(fields.get("is"));
        } else if (fields.has("isNot")) {
            return subject.isNot(fields.get("isNot"));
        } else if (fields.has("in")) {
            return subject.isIn(fields.list("in"));
        } else if (fields.has("exists")) {
            return fields.flag("exists") ? subject.exists() : subject.isMissing();
        }
        return numeric(subject, fields);
    }

    private static Condition numeric(Condition.Subject subject, JsonFields fields) {
        for (String how : List.of("above", "atLeast", "below", "atMost")) {
            if (fields.has(how)) {
                if (!(fields.get(how) instanceof Number number)) {
                    throw JsonFields.bad(fields.path(how), "a number", fields.get(how));
                }
                return switch (how) {
                    case "above" -> subject.isAbove(number);
                    case "atLeast" -> subject.isAtLeast(number);
                    case "below" -> subject.isBelow(number);
                    default -> subject.isAtMost(number);
                };
            }
        }
        throw DagErrors.of(
                "Expected a condition to have one of [is, isNot, in, exists, above, atLeast, below, atMost], but "
                        + "the one at " + fields.path("path") + " has none. Add one.");
    }
}
