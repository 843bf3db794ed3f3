package dev.dormouse.dag;

import static dev.dormouse.dag.data.BadDag.required;

import dev.dormouse.RetryPolicy;
import dev.dormouse.dag.data.BadDag;
import dev.dormouse.dag.data.Condition;
import dev.dormouse.dag.data.Path;
import dev.dormouse.dag.data.Template;
import dev.dormouse.dag.model.Action;
import dev.dormouse.dag.model.CancelOn;
import dev.dormouse.dag.model.Definition;
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
 * Builds a {@link Dag}. Methods that add a step ({@link #task}, {@link #sleep(String, Duration)} …) are followed by those
 * that say more about it ({@link #after}, {@link #input}, {@link #retry} …). Not thread-safe.
 *
 * <p>Data is looked up by paths. {@code $.input} is what the run was started with, {@code $.steps.ID} the output of a step
 * that comes before, {@code $.run.id} and {@code $.run.workflowId} are the run's own; a path with a question mark at its end
 * may lead nowhere. A path that leads nowhere otherwise fails the step, and says which path that was.
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
    private Duration maxSleep = Definition.MAX_SLEEP;
    private @Nullable Template output;
    private final List<Draft> drafts = new ArrayList<>();

    /** A step of which more may be said. */
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

    /** Which version of the DAG this is. A stored version never changes: whatever is changed needs a new one. Default: 1. */
    public DagBuilder version(int number) {
        version = number;
        return this;
    }

    /**
     * How many of its runs execute at a time, on all nodes; others wait. One that sleeps or waits does not count. Holds for
     * runs that {@link Dags#start} starts. Default: any number.
     */
    public DagBuilder runLimit(int runs) {
        if (runs < 1) {
            throw BadDag.of("Expected a runLimit of 1 or more, but got " + runs + ". Leave it out for any number.");
        }
        runLimit = runs;
        return this;
    }

    /** Where the input says which run is meant: a second start with the same value there returns the first run. */
    public DagBuilder idempotencyKey(String path) {
        idempotencyKey = Path.of(path);
        return this;
    }

    /** There is one run at a time: a start while there is an open run returns that. */
    public DagBuilder singleton() {
        singleton = true;
        return this;
    }

    /**
     * An event that cancels a run, until its end. One that came shortly before the run began counts too, see
     * {@link dev.dormouse.DormouseBuilder#eventWindow}: an order that was cancelled a moment ago is not carried out.
     *
     * @param match what the event must hold, by path; values may be paths into the run's input
     */
    public DagBuilder cancelOn(String event, Map<String, ?> match) {
        cancelOn = new CancelOn(required(event, "the name of an event"), templates(match));
        return this;
    }

    /** How long a run may take. Then it fails, and what it did is compensated. Default: any time. */
    public DagBuilder runTimeout(Duration time) {
        runTimeout = required(time, "a timeout");
        return this;
    }

    /** How long a step of it may sleep. Default: 365 days. */
    public DagBuilder maxSleep(Duration time) {
        maxSleep = required(time, "a longest sleep");
        return this;
    }

    /** What a run returns: data with paths in it. Default: the outputs of those steps that no other comes after, by id. */
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
     * A step that calls an activity by its name: {@code Mail.welcome} for a method of an interface that is registered with
     * {@link dev.dormouse.DormouseBuilder#activities}, or what is registered with
     * {@link dev.dormouse.DormouseBuilder#activity}. It gets one argument, see {@link #input}, or none if it has no
     * parameter; what it returns is the step's output.
     */
    public DagBuilder task(String id, String activity) {
        return add(id, new Action.Task(required(activity, "the name of an activity")));
    }

    /** A step that sleeps, without a worker: longer than zero, and no longer than {@link #maxSleep}. */
    public DagBuilder sleep(String id, Duration time) {
        return add(id, new Action.Sleep(new SleepTime.For(required(time, "a duration"))));
    }

    /** The same for as long as the data says: a number of milliseconds, or a text such as {@code PT30S}. */
    public DagBuilder sleep(String id, String path) {
        return add(id, new Action.Sleep(new SleepTime.ForPath(Path.of(path))));
    }

    /** A step that sleeps until an instant; one that has passed ends it at once. */
    public DagBuilder sleepUntil(String id, Instant instant) {
        return add(id, new Action.Sleep(new SleepTime.Until(required(instant, "an instant"))));
    }

    /**
     * The same until when the data says: a text such as {@code 2027-01-31T09:00:00Z}, or milliseconds since 1970. A number
     * that is too small for an instant of our days fails the step: it is a duration, see {@link #sleep(String, String)}.
     */
    public DagBuilder sleepUntil(String id, String path) {
        return add(id, new Action.Sleep(new SleepTime.UntilPath(Path.of(path))));
    }

    /** A step that sleeps until the next time that a cron expression names, see {@link Cron}. */
    public DagBuilder sleepUntil(String id, String cron, ZoneId zone) {
        return add(id, new Action.Sleep(new SleepTime.Next(cron(id, cron, required(zone, "a time zone")))));
    }

    private static ZonedCron cron(String id, String expression, ZoneId zone) {
        if (required(expression, "a cron expression").length() > LONGEST_CRON) {
            throw BadDag.of("Expected step '" + id + "' to have a cron expression of at most " + LONGEST_CRON
                    + " characters, but got one of " + expression.length() + ". Use a shorter one.");
        }
        try {
            return new ZonedCron(Cron.of(expression), zone);
        } catch (DormouseException malformed) {
            throw BadDag.of("Expected step '" + id + "' to have a cron expression, but: " + malformed.getMessage());
        }
    }

    /**
     * A step that waits for an event, see {@link dev.dormouse.Dormouse#publish}. Its output is what was published, or, when
     * the time was up first, {@code {"timeout": true}}.
     *
     * @param match what the event must hold, by path: {@code Map.of("order.id", "$.input.orderId")}
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
     * A step that waits for a person. Its output is {@code {"approved": true, "by": …, "comment": …}}. When it was rejected
     * or the time was up, what comes after it is skipped, and its {@link #onFailure} step is taken, if it has one; the run
     * does not fail by that. Its output is {@code {"approved": false, …}} then, with {@code "timeout": true} when the time
     * was up. Who has its token decides, once: see {@link #ask}, {@link DagRun#approvals} and {@link Dags#approve}.
     */
    public DagBuilder approval(String id, Duration timeout) {
        return add(id, new Action.Approval(required(timeout, "a timeout"), null));
    }

    /** The activity that asks for the approval of the last step. It gets its token, the step's input, and until when. */
    public DagBuilder ask(String activity) {
        Draft draft = last("ask");
        if (!(draft.action instanceof Action.Approval approval)) {
            throw BadDag.of("Expected ask to follow an approval, but step '" + draft.id + "' is none. Move it.");
        }
        draft.action = new Action.Approval(approval.timeout(), required(activity, "the name of an activity"));
        return this;
    }

    /**
     * A step that calls an activity for each item of an array. Its output is the array of their outputs, in the same order;
     * it fails when one of them does. {@code $.item} and {@code $.index} may be used in its {@link #input}, which is the
     * item itself by default. Ten items at a time, and 1,000 in all, unless {@link #parallelism} and {@link #limit} say
     * otherwise.
     */
    public DagBuilder map(String id, String activity, String over) {
        return add(
                id,
                new Action.MapOver(required(activity, "the name of an activity"), Path.of(over), PARALLELISM, LIMIT));
    }

    /** How many items of the last step, a map, are in work at a time. Default: 10. */
    public DagBuilder parallelism(int items) {
        Action.MapOver map = map("parallelism");
        last("parallelism").action = new Action.MapOver(map.activity(), map.over(), items, map.limit());
        return this;
    }

    /** How many items the last step, a map, may have; with more it fails. Default: 1,000. */
    public DagBuilder limit(int items) {
        Action.MapOver map = map("limit");
        last("limit").action = new Action.MapOver(map.activity(), map.over(), map.parallelism(), items);
        return this;
    }

    private Action.MapOver map(String what) {
        if (last(what).action instanceof Action.MapOver map) {
            return map;
        }
        throw BadDag.of("Expected " + what + " to follow a map, but step '" + last(what).id + "' is none. Move it.");
    }

    /** A step that starts another DAG, its latest version, and waits for its result, which is the step's output. */
    public DagBuilder subWorkflow(String id, String dag) {
        return add(id, new Action.SubWorkflow(required(dag, "the name of a DAG"), true));
    }

    /** The same with a workflow that is code, by its type. It gets one argument. */
    public DagBuilder subWorkflowType(String id, String type) {
        return add(id, new Action.SubWorkflow(required(type, "the type of a workflow"), false));
    }

    // ---- more about the last step

    private Draft last(String what) {
        if (drafts.isEmpty()) {
            throw BadDag.of(
                    "Expected a step before " + what + ", but DAG '" + name + "' has none. Add the step first.");
        }
        return drafts.get(drafts.size() - 1);
    }

    /** The steps that the last one comes after. It begins when all of them are done, or were skipped by a condition. */
    public DagBuilder after(String... steps) {
        Draft draft = last("after");
        for (String step : required(steps, "ids of steps")) {
            draft.after.add(required(step, "the id of a step"));
        }
        return this;
    }

    /**
     * What the last step gets: data with paths in it, such as {@code Map.of("order", "$.steps.order.id")}. Default: an
     * object with the run's input as {@code input}, and as {@code steps} the outputs of the steps it comes after.
     */
    public DagBuilder input(@Nullable Object template) {
        last("input").input = Template.of(template);
        return this;
    }

    /** How long all attempts of the last step may take. Then it fails. Default: any time. */
    public DagBuilder timeout(Duration time) {
        last("timeout").timeout = required(time, "a timeout");
        return this;
    }

    /** How often the last step is tried. Default: as the node's {@code activityOptions} say, by default without end. */
    public DagBuilder retry(RetryPolicy policy) {
        last("retry").retry = required(policy, "a retry policy");
        return this;
    }

    /** Leaves the last step out if this holds. Its output is null then, and what comes after it goes on. */
    public DagBuilder skipIf(Condition condition) {
        last("skipIf").skipIf = required(condition, "a condition");
        return this;
    }

    /**
     * The step that takes the place of the last one when that fails: what comes after goes on with its output. It may look at
     * {@code $.failure.message}, {@code $.failure.type} and {@code $.failure.step}.
     */
    public DagBuilder onFailure(String step) {
        last("onFailure").onFailure = required(step, "the id of a step");
        return this;
    }

    /**
     * The step that undoes the last one, if that is done and the run fails, times out or is cancelled. Steps are undone one
     * after the other, the last done first.
     */
    public DagBuilder compensate(String step) {
        last("compensate").compensate = required(step, "the id of a step");
        return this;
    }

    /** How many of the last step may begin in a period, over all runs, evenly spread. Others wait without a thread. */
    public DagBuilder rateLimit(int number, Duration period) {
        last("rateLimit").rate = new RateLimit(number, required(period, "a period"), null);
        return this;
    }

    /** The same for each value that the data has at a path. */
    public DagBuilder rateLimit(int number, Duration period, String key) {
        last("rateLimit").rate = new RateLimit(number, required(period, "a period"), Path.of(key));
        return this;
    }

    /** How many of the last step execute at a time, over all runs. Others wait without a thread. */
    public DagBuilder concurrency(int number) {
        if (number < 1) {
            throw BadDag.of(
                    "Expected a concurrency of 1 or more, but got " + number + ". Leave it out for any number.");
        }
        last("concurrency").concurrency = number;
        return this;
    }

    /**
     * Checks all that can be known.
     *
     * @throws DormouseException BAD_DAG with everything that is wrong
     */
    public Dag build() {
        return new Dag(new Definition(
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
