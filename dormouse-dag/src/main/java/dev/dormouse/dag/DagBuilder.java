package dev.dormouse.dag;

import static dev.dormouse.dag.data.DagErrors.required;

import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.data.Condition;
import dev.dormouse.dag.data.DagErrors;
import dev.dormouse.dag.data.Path;
import dev.dormouse.dag.data.Template;
import dev.dormouse.dag.model.Action;
import dev.dormouse.dag.model.CancelOn;
import dev.dormouse.dag.model.DagDefinition;
import dev.dormouse.dag.model.RateLimit;
import dev.dormouse.dag.model.SleepTime;
import dev.dormouse.dag.model.Step;
import dev.dormouse.error.DormouseException;
import dev.dormouse.schedule.Cron;
import dev.dormouse.schedule.ZonedCron;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A builder of a {@link Dag}. A method that adds a step ({@link #task}, {@link #sleep(String, Duration)} …) is followed
 * by the methods that configure this step ({@link #after}, {@link #input}, {@link #retry} …). Not thread-safe.
 *
 * <p>Steps look up data by paths:
 * <ul>
 * <li>{@code $.input} is the input of the run.
 * <li>{@code $.steps.ID} is the output of an earlier step.
 * <li>{@code $.run.id} and {@code $.run.workflowId} identify the run.
 * </ul>
 * <p>A path that ends with a question mark is optional: if it has no value, the result is null. Any other path without
 * a value fails the step, and the message names the path.
 *
 * <p>In addition to the cases that a method names, every method throws {@link DormouseException} with BAD_DAG for null,
 * for a malformed path, and if it configures a step before one was added. {@link #build} finds all other mistakes.
 */
public final class DagBuilder {
    private static final int PARALLELISM = 10;
    private static final int LIMIT = 1_000;
    private static final int LONGEST_CRON = 200;

    private final String name;
    private int version = 1;
    private int runLimit;
    private @Nullable Path idempotencyKey;
    private boolean singleton;
    private @Nullable CancelOn cancelOn;
    private @Nullable Duration runTimeout;
    private Duration maxSleep = DagDefinition.MAX_SLEEP;
    private @Nullable Template output;
    private final List<Draft> drafts = new ArrayList<>();

    /** A step that can still be configured. */
    private static final class Draft {
        private final String id;
        private Action action;
        private final List<String> after = new ArrayList<>();
        private @Nullable Template input;
        private @Nullable Condition skipIf;
        private @Nullable Duration timeout;
        private @Nullable RetryPolicy retry;
        private @Nullable String onFailure;
        private @Nullable String compensate;
        private @Nullable RateLimit rate;
        private int concurrency;

        Draft(String id, Action action) {
            this.id = id;
            this.action = action;
        }

        Step step() {
            return new Step(
                    id,
                    action,
                    List.copyOf(after),
                    input,
                    skipIf,
                    timeout,
                    retry,
                    onFailure,
                    compensate,
                    rate,
                    concurrency);
        }
    }

    DagBuilder(String name) {
        this.name = required(name, "the name of a DAG");
    }

    // ---- the workflow

    /** Sets the version of the DAG. A stored version never changes: every change needs a new version. Default: 1. */
    public DagBuilder version(int number) {
        version = number;
        return this;
    }

    /**
     * Limits the number of runs that execute at the same time, on all nodes together. Further runs wait; runs that
     * sleep or wait do not count. Applies to runs started by {@link Dags#start}. Default: no limit.
     *
     * @throws DormouseException BAD_DAG if {@code runs} is less than 1
     */
    public DagBuilder runLimit(int runs) {
        if (runs < 1) {
            throw DagErrors.of("Expected a runLimit of 1 or more, but got " + runs + ". Leave it out for any number.");
        }
        runLimit = runs;
        return this;
    }

    /**
     * Sets the path of the idempotency key in the input. A second start with the same key returns the first run.
     * Default: none.
     */
    public DagBuilder idempotencyKey(String path) {
        idempotencyKey = Path.of(path);
        return this;
    }

    /**
     * Allows one open run at a time: a start while a run is open returns that run. Default: any number of open runs.
     */
    public DagBuilder singleton() {
        singleton = true;
        return this;
    }

    /**
     * Sets an event that cancels a run, at any time until the run ends. An event published shortly before the run began
     * counts too (see {@link dev.dormouse.DormouseBuilder#eventWindow}): an order that was cancelled a moment ago is
     * not executed. Default: none.
     *
     * @param match the values that the event must have, by path; a value may be a path into the run's input
     */
    public DagBuilder cancelOn(String event, Map<String, ?> match) {
        cancelOn = new CancelOn(required(event, "the name of an event"), templates(match));
        return this;
    }

    /**
     * Sets the maximum duration of a run. After {@code time} the run fails, and its completed steps are compensated.
     * Default: no timeout.
     */
    public DagBuilder runTimeout(Duration time) {
        runTimeout = required(time, "a timeout");
        return this;
    }

    /** Sets the longest sleep of a step. Default: 365 days. */
    public DagBuilder maxSleep(Duration time) {
        maxSleep = required(time, "a longest sleep");
        return this;
    }

    /**
     * Sets the result of a run: data that may contain paths. Default: the outputs of the steps without successors, by
     * step id. If {@code template} is null, the result is null.
     *
     * @throws DormouseException BAD_DAG if JSON cannot represent {@code template}
     */
    public DagBuilder output(@Nullable Object template) {
        output = Template.of(template);
        return this;
    }

    // ---- steps

    private DagBuilder add(String id, Action action) {
        drafts.add(new Draft(required(id, "the id of a step"), action));
        return this;
    }

    /**
     * Adds a step that calls an activity by its name. The name is {@code Mail.welcome} for a method of an interface
     * registered with {@link dev.dormouse.DormouseBuilder#activities}, or a name registered with {@link
     * dev.dormouse.DormouseBuilder#activity}. The activity gets one argument (see {@link #input}), or none if it has no
     * parameter. Its return value is the step's output.
     */
    public DagBuilder task(String id, String activity) {
        return add(id, new Action.Task(required(activity, "the name of an activity")));
    }

    /**
     * Adds a step that sleeps for {@code time} without holding a thread. The duration must be positive and at most
     * {@link #maxSleep}.
     */
    public DagBuilder sleep(String id, Duration time) {
        return add(id, new Action.Sleep(new SleepTime.For(required(time, "a duration"))));
    }

    /**
     * Adds a step that sleeps for the duration found at {@code path}: a number of milliseconds, or a text such as
     * {@code PT30S}.
     */
    public DagBuilder sleep(String id, String path) {
        return add(id, new Action.Sleep(new SleepTime.ForPath(Path.of(path))));
    }

    /** Adds a step that sleeps until {@code instant}. The step ends at once if the instant has passed. */
    public DagBuilder sleepUntil(String id, Instant instant) {
        return add(id, new Action.Sleep(new SleepTime.Until(required(instant, "an instant"))));
    }

    /**
     * Adds a step that sleeps until the instant found at {@code path}: a text such as {@code 2027-01-31T09:00:00Z}, or
     * milliseconds since 1970. A number too small for a present-day instant fails the step, because it must be a
     * duration: see {@link #sleep(String, String)}.
     */
    public DagBuilder sleepUntil(String id, String path) {
        return add(id, new Action.Sleep(new SleepTime.UntilPath(Path.of(path))));
    }

    /**
     * Adds a step that sleeps until the next time of a cron expression in {@code zone}, see {@link Cron}.
     *
     * @throws DormouseException BAD_DAG if {@code cron} is not a cron expression
     */
    public DagBuilder sleepUntil(String id, String cron, ZoneId zone) {
        return add(id, new Action.Sleep(new SleepTime.Next(cron(id, cron, required(zone, "a time zone")))));
    }

    private static ZonedCron cron(String id, String expression, ZoneId zone) {
        if (required(expression, "a cron expression").length() > LONGEST_CRON) {
            throw DagErrors.of("Expected step '" + id + "' to have a cron expression of at most " + LONGEST_CRON
                    + " characters, but got one of " + expression.length() + ". Use a shorter one.");
        }
        try {
            return new ZonedCron(Cron.of(expression), zone);
        } catch (DormouseException malformed) {
            throw DagErrors.of("Expected step '" + id + "' to have a cron expression, but: " + malformed.getMessage());
        }
    }

    /**
     * Adds a step that waits for an event, see {@link dev.dormouse.Dormouse#publish}. Its output is the event's
     * payload, or {@code {"timeout": true}} if {@code timeout} expired first.
     *
     * @param match the values that the event must have, by path: {@code Map.of("order.id", "$.input.orderId")}
     */
    public DagBuilder waitForEvent(String id, String event, Map<String, ?> match, Duration timeout) {
        return add(
                id,
                new Action.WaitForEvent(
                        required(event, "the name of an event"), templates(match), required(timeout, "a timeout")));
    }

    private static Map<String, Template> templates(Map<String, ?> match) {
        Map<String, Template> templates = new LinkedHashMap<>();
        required(match, "what an event must hold, or Map.of()")
                .forEach((path, value) -> templates.put(required(path, "a path"), Template.of(value)));
        return templates;
    }

    /**
     * Adds a step that waits for the decision of a person. Its output is {@code {"approved": true, "by": …, "comment":
     * …}}.
     *
     * <p>If the decision is a rejection, or {@code timeout} expires, the output is {@code {"approved": false, …}}, with
     * {@code "timeout": true} after a timeout. The steps after it are skipped and its {@link #onFailure} step is
     * executed, if it has one; the run does not fail.
     *
     * <p>The owner of the token decides, once: see {@link #ask}, {@link DagRun#approvals} and {@link Dags#approve}.
     */
    public DagBuilder approval(String id, Duration timeout) {
        return add(id, new Action.Approval(required(timeout, "a timeout"), null));
    }

    /**
     * Sets the activity that asks for the approval of the last step. It gets the token, the step's input and the
     * deadline. Default: none.
     *
     * @throws DormouseException BAD_DAG if the last step is not an approval
     */
    public DagBuilder ask(String activity) {
        Draft draft = last("ask");
        if (!(draft.action instanceof Action.Approval approval)) {
            throw DagErrors.of("Expected ask to follow an approval, but step '" + draft.id + "' is not one. Move it.");
        }
        draft.action = new Action.Approval(approval.timeout(), required(activity, "the name of an activity"));
        return this;
    }

    /**
     * Adds a step that calls an activity for each item of the array at {@code over}. Its output is the array of their
     * outputs, in the same order. The step fails if one call fails. {@code $.item} and {@code $.index} may be used in
     * its {@link #input}, which is the item itself by default. By default 10 items are processed at a time, and 1,000
     * at most: see {@link #parallelism} and {@link #limit}.
     */
    public DagBuilder map(String id, String activity, String over) {
        return add(
                id,
                new Action.MapOver(required(activity, "the name of an activity"), Path.of(over), PARALLELISM, LIMIT));
    }

    /**
     * Sets how many items of the last step, a map, are processed at a time. Default: 10.
     *
     * @throws DormouseException BAD_DAG if the last step is not a map
     */
    public DagBuilder parallelism(int items) {
        Action.MapOver map = map("parallelism");
        last("parallelism").action = new Action.MapOver(map.activity(), map.over(), items, map.limit());
        return this;
    }

    /**
     * Sets the maximum number of items of the last step, a map; the step fails if there are more. Default: 1,000.
     *
     * @throws DormouseException BAD_DAG if the last step is not a map
     */
    public DagBuilder limit(int items) {
        Action.MapOver map = map("limit");
        last("limit").action = new Action.MapOver(map.activity(), map.over(), map.parallelism(), items);
        return this;
    }

    private Action.MapOver map(String what) {
        if (last(what).action instanceof Action.MapOver map) {
            return map;
        }
        throw DagErrors.of(
                "Expected " + what + " to follow a map, but step '" + last(what).id + "' is not one. Move it.");
    }

    /**
     * Adds a step that starts the latest version of another DAG and waits for its result, which is the step's output.
     */
    public DagBuilder subWorkflow(String id, String dag) {
        return add(id, new Action.SubWorkflow(required(dag, "the name of a DAG"), true));
    }

    /**
     * Adds a step that starts a workflow written in Java, by its type, and waits for its result, which is the step's
     * output. The workflow gets one argument.
     */
    public DagBuilder subWorkflowType(String id, String type) {
        return add(id, new Action.SubWorkflow(required(type, "the type of a workflow"), false));
    }

    // ---- configuration of the last step

    private Draft last(String what) {
        if (drafts.isEmpty()) {
            throw DagErrors.of(
                    "Expected a step before " + what + ", but DAG '" + name + "' has none. Add the step first.");
        }
        return drafts.get(drafts.size() - 1);
    }

    /**
     * Sets the predecessors of the last step. It begins when each of them is completed or was skipped by a condition.
     * Default: none.
     */
    public DagBuilder after(String... steps) {
        Draft draft = last("after");
        for (String step : required(steps, "ids of steps")) {
            draft.after.add(required(step, "the id of a step"));
        }
        return this;
    }

    /**
     * Sets the input of the last step: data that may contain paths, such as {@code Map.of("order",
     * "$.steps.order.id")}. Default: an object with the run's input as {@code input}, and the outputs of the step's
     * predecessors as {@code steps}. If {@code template} is null, the input is null.
     *
     * @throws DormouseException BAD_DAG if JSON cannot represent {@code template}
     */
    public DagBuilder input(@Nullable Object template) {
        last("input").input = Template.of(template);
        return this;
    }

    /**
     * Sets the maximum duration of all attempts of the last step together; then the step fails. Default: no timeout.
     */
    public DagBuilder timeout(Duration time) {
        last("timeout").timeout = required(time, "a timeout");
        return this;
    }

    /**
     * Sets the retry policy of the last step. Default: the node's {@code activityOptions}, which by default retry
     * indefinitely.
     */
    public DagBuilder retry(RetryPolicy policy) {
        last("retry").retry = required(policy, "a retry policy");
        return this;
    }

    /**
     * Skips the last step if {@code condition} holds. Its output is null then, and its successors are executed.
     * Default: never.
     */
    public DagBuilder skipIf(Condition condition) {
        last("skipIf").skipIf = required(condition, "a condition");
        return this;
    }

    /**
     * Sets the step that replaces the last one when that fails: successors continue with its output. It may use {@code
     * $.failure.message}, {@code $.failure.type} and {@code $.failure.step}. Default: none.
     */
    public DagBuilder onFailure(String step) {
        last("onFailure").onFailure = required(step, "the id of a step");
        return this;
    }

    /**
     * Sets the step that compensates the last one if that is completed and the run fails, times out or is cancelled.
     * Compensations are executed one after the other, in reverse order of completion. Default: none.
     */
    public DagBuilder compensate(String step) {
        last("compensate").compensate = required(step, "the id of a step");
        return this;
    }

    /**
     * Limits how many executions of the last step begin in {@code period}, over all runs and evenly spread. Further
     * ones wait without a thread. Default: no limit.
     */
    public DagBuilder rateLimit(int number, Duration period) {
        last("rateLimit").rate = new RateLimit(number, required(period, "a period"), null);
        return this;
    }

    /**
     * Limits how many executions of the last step begin in {@code period}, separately for each value at the path {@code
     * key}, over all runs and evenly spread. Further ones wait without a thread. Default: no limit.
     */
    public DagBuilder rateLimit(int number, Duration period, String key) {
        last("rateLimit").rate = new RateLimit(number, required(period, "a period"), Path.of(key));
        return this;
    }

    /**
     * Limits how many executions of the last step are in progress at a time, over all runs. Further ones wait without a
     * thread. Default: no limit.
     *
     * @throws DormouseException BAD_DAG if {@code number} is less than 1
     */
    public DagBuilder concurrency(int number) {
        if (number < 1) {
            throw DagErrors.of(
                    "Expected a concurrency of 1 or more, but got " + number + ". Leave it out for any number.");
        }
        last("concurrency").concurrency = number;
        return this;
    }

    /**
     * Checks the definition and returns the DAG.
     *
     * @throws DormouseException BAD_DAG with all mistakes
     */
    public Dag build() {
        return new Dag(new DagDefinition(
                        name,
                        version,
                        runLimit,
                        idempotencyKey,
                        singleton,
                        cancelOn,
                        runTimeout,
                        maxSleep,
                        output,
                        drafts.stream().map(Draft::step).toList())
                .checked());
    }
}
