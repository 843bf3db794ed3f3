package dev.dormouse;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.codec.JacksonCodec;
import dev.dormouse.codec.PayloadCodec;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.Monitor;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.internal.embedded.EmbeddedDormouse;
import dev.dormouse.internal.embedded.NodeConfiguration;
import dev.dormouse.internal.embedded.Stores;
import dev.dormouse.internal.run.EngineSettings;
import dev.dormouse.internal.run.Families;
import dev.dormouse.internal.run.QueueLimits;
import dev.dormouse.internal.thread.JvmThreads;
import dev.dormouse.internal.value.EngineOptions;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.workflow.Activities;
import dev.dormouse.internal.workflow.ActivityStub;
import dev.dormouse.internal.workflow.NamedActivity;
import dev.dormouse.internal.workflow.WorkflowDefinition;
import dev.dormouse.plugin.Plugin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A builder for a {@link Dormouse}. Everything except the store has a default. Setters throw BAD_ARGUMENT for null;
 * {@link #open()} checks the other settings, with BAD_SETTING. Not thread-safe.
 */
public final class DormouseBuilder {
    private static final int LONGEST_NAME = 100;
    private static final Pattern BUILD = Pattern.compile("[!-~]{1,100}");
    private static final Duration DEFAULT_RETENTION = Duration.ofDays(30);
    private static final Duration LONGEST_WINDOW = Duration.ofDays(365);
    private static final boolean VIRTUAL = JvmThreads.hasVirtualThreads();

    private String url = "";
    private @Nullable DataSource dataSource;
    private String schema = "dormouse";
    private int shards = 1;
    private boolean migrate = true;
    private boolean readOnly;
    private boolean anyElsewhere;
    private PayloadCodec codec = new JacksonCodec();
    private int payloadLimit = 2 << 20;
    private String build = "";
    private String name = "";
    private Duration leasePeriod = Duration.ofSeconds(15);
    private Duration sweepInterval = Duration.ofSeconds(10);
    private Duration parkGrace = Duration.ofSeconds(5);
    private Duration maxParkTime = Duration.ofSeconds(5);
    private int maxExecuting = VIRTUAL ? 10_000 : 1_000;
    private int maxParked = VIRTUAL ? 10_000 : 500;
    private int maxTakeovers = 5;
    private int historyLimit = 50_000;
    private Duration closeGrace = Duration.ofSeconds(10);
    private Duration stuckRetry = Duration.ofMinutes(1);
    private Duration stuckRetryAtMost = Duration.ofHours(1);
    private @Nullable Duration retention;
    private boolean keepsClosedRuns;
    private int writers = 2;
    private Duration eventWindow = Duration.ofMinutes(1);
    private ActivityOptions activityOptions = ActivityOptions.DEFAULT;
    private final List<WorkflowDefinition> workflows = new ArrayList<>();
    private final Map<Class<?>, Object> activities = new LinkedHashMap<>();
    private final Map<String, NamedActivity> functions = new LinkedHashMap<>();
    private final Set<String> elsewhere = new TreeSet<>();
    private final List<Plugin> plugins = new ArrayList<>();
    private final List<Monitor> monitors = new ArrayList<>();
    private final Set<Class<?>> remoteActivities = new LinkedHashSet<>();
    private final Map<String, QueueLimits> queues = new LinkedHashMap<>();

    static {
        ConfigurationAccess.set(DormouseBuilder::configuration);
    }

    DormouseBuilder() {}

    /**
     * Sets the URL of the store: {@code sqlite:FILE}, {@code sqlite::memory:} or {@code jdbc:postgresql://…}. Required,
     * unless there is a data source, which takes precedence.
     */
    public DormouseBuilder store(String storeUrl) {
        url = required(storeUrl, "the URL of a store");
        return this;
    }

    /**
     * Sets the data source of the store: a database that your program already has connections to. It stays open when
     * the Dormouse closes. Required, unless there is a URL.
     */
    public DormouseBuilder store(DataSource storeDataSource) {
        dataSource = required(storeDataSource, "a DataSource");
        return this;
    }

    /** Sets the database schema of the tables. PostgreSQL only. Default: {@code dormouse}. */
    public DormouseBuilder schema(String name) {
        schema = required(name, "the name of a schema");
        return this;
    }

    /** Sets the number of shards of a new database, from 1 to 32,767. Default: 1. */
    public DormouseBuilder shards(int number) {
        shards = number;
        return this;
    }

    /** Sets if {@link #open()} creates and upgrades the tables. Default: true. */
    public DormouseBuilder migrate(boolean yes) {
        migrate = yes;
        return this;
    }

    /**
     * Opens the store only for reading: lists, descriptions and histories. The node executes and changes nothing, not
     * even the schema, and refuses all calls that would (READ_ONLY). A SQLite file can be read this way while another
     * process has it open. Default: not read-only.
     */
    public DormouseBuilder readOnly() {
        readOnly = true;
        return this;
    }

    /**
     * Registers a workflow that is described by an interface. {@code implementation} creates a new object for each run
     * and each replay. Results are committed with {@link Durability#STRICT}.
     *
     * @throws DormouseException BAD_WORKFLOW_INTERFACE if {@code type} is not a valid workflow interface
     */
    public <W> DormouseBuilder workflow(Class<W> type, Supplier<? extends W> implementation) {
        return workflow(type, Durability.STRICT, implementation);
    }

    /**
     * Registers a workflow that is described by an interface, with the given durability. {@code implementation} creates
     * a new object for each run and each replay.
     *
     * @throws DormouseException BAD_WORKFLOW_INTERFACE if {@code type} is not a valid workflow interface
     */
    public <W> DormouseBuilder workflow(Class<W> type, Durability durability, Supplier<? extends W> implementation) {
        workflows.add(WorkflowDefinition.of(
                required(type, "the interface of a workflow"),
                required(implementation, "its implementation"),
                required(durability, "a durability")));
        return this;
    }

    /**
     * Registers a workflow as a function. Results are committed with {@link Durability#STRICT}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code type} is not a valid name, or a class has type parameters
     */
    public <I extends @Nullable Object, O extends @Nullable Object> DormouseBuilder workflow(
            String type, Class<I> input, Class<O> output, WorkflowFunction<I, O> function) {
        return workflow(type, Durability.STRICT, input, output, function);
    }

    /**
     * Registers a workflow as a function, with the given durability.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code type} is not a valid name, or a class has type parameters
     */
    public <I extends @Nullable Object, O extends @Nullable Object> DormouseBuilder workflow(
            String type, Durability durability, Class<I> input, Class<O> output, WorkflowFunction<I, O> function) {
        return workflow(type, durability, TypeRef.of(input), TypeRef.of(output), function);
    }

    /**
     * Registers a workflow as a function whose input or output has type parameters. Results are committed with
     * {@link Durability#STRICT}.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code type} is not a valid name
     */
    public <I extends @Nullable Object, O extends @Nullable Object> DormouseBuilder workflow(
            String type, TypeRef<I> input, TypeRef<O> output, WorkflowFunction<I, O> function) {
        return workflow(type, Durability.STRICT, input, output, function);
    }

    /**
     * Registers a workflow as a function whose input or output has type parameters, with the given durability.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code type} is not a valid name
     */
    public <I extends @Nullable Object, O extends @Nullable Object> DormouseBuilder workflow(
            String type, Durability durability, TypeRef<I> input, TypeRef<O> output, WorkflowFunction<I, O> function) {
        workflows.add(WorkflowDefinition.of(
                required(type, "the name of a workflow type"),
                required(input, "the type of its input").type(),
                required(output, "the type of its output").type(),
                required(function, "its function"),
                required(durability, "a durability")));
        return this;
    }

    /**
     * Declares a workflow type that this node starts but other nodes execute.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code type} is not a valid name
     */
    public DormouseBuilder remoteWorkflow(String type) {
        elsewhere.add(Ids.checkedType(required(type, "the name of a workflow type")));
        return this;
    }

    /**
     * Declares a workflow interface whose runs this node starts but other nodes execute.
     *
     * @throws DormouseException BAD_WORKFLOW_INTERFACE if {@code type} is not a valid workflow interface
     */
    public DormouseBuilder remoteWorkflow(Class<?> type) {
        return remoteWorkflow(WorkflowDefinition.nameOf(required(type, "the interface of a workflow")));
    }

    /**
     * Allows this node to start workflows of all types, even if they are not registered here, for other nodes to
     * execute. Default: not allowed, so that a misspelled type is detected.
     */
    public DormouseBuilder anyRemoteWorkflow() {
        anyElsewhere = true;
        return this;
    }

    /**
     * Registers a family of workflows. Their types are the family's name, a colon, and a name of their own, and this
     * implementation executes all of them. {@code Workflow.info().type()} returns the type of the current run.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code family} is not a valid name; BAD_WORKFLOW_INTERFACE if
     *     {@code type} is not a valid workflow interface
     */
    public <W> DormouseBuilder workflowFamily(String family, Class<W> type, Supplier<? extends W> implementation) {
        workflows.add(WorkflowDefinition.named(
                Families.named(WorkflowDefinition.nameOfOne(required(family, "the name of a family"))),
                required(type, "the interface of a workflow"),
                required(implementation, "its implementation"),
                Durability.STRICT));
        return this;
    }

    /** Adds a module of Dormouse. The module registers its own workflows, activities and queues. */
    public DormouseBuilder plugin(Plugin plugin) {
        plugins.add(required(plugin, "a plugin"));
        plugin.register(this);
        return this;
    }

    /**
     * Registers the implementation of an activity interface. It must be thread-safe: several threads call it at the
     * same time.
     *
     * @throws DormouseException BAD_ACTIVITY_INTERFACE if {@code type} is not a valid activity interface, or
     *     another interface of the same name is registered here, see {@link ActivityInterface#name}; BAD_ARGUMENT if
     *     {@code type} is registered twice
     */
    public <A> DormouseBuilder activities(Class<A> type, A implementation) {
        checkActivities(required(type, "the interface of activities"));
        if (activities.put(type, required(implementation, "an implementation of " + type.getName())) != null) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected one implementation of " + type.getName() + ", but it is registered twice. Remove one.");
        }
        return this;
    }

    private void checkActivities(Class<?> type) {
        ActivityStub.check(type);
        Activities.checkName(type, activities.keySet());
        Activities.checkName(type, remoteActivities);
    }

    /**
     * Registers an activity as a function. Workflows call it by name, see {@link WorkflowContext#activity}. It must be
     * thread-safe.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code name} is invalid or registered twice, or a class has type
     *     parameters
     */
    public <I extends @Nullable Object, O extends @Nullable Object> DormouseBuilder activity(
            String name, Class<I> input, Class<O> output, ActivityFunction<I, O> function) {
        return activity(name, TypeRef.of(input), TypeRef.of(output), function);
    }

    /**
     * Registers an activity as a function whose input or output has type parameters. Workflows call it by name, see
     * {@link WorkflowContext#activity}. It must be thread-safe.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code name} is invalid or registered twice
     */
    public <I extends @Nullable Object, O extends @Nullable Object> DormouseBuilder activity(
            String name, TypeRef<I> input, TypeRef<O> output, ActivityFunction<I, O> function) {
        NamedActivity activity = NamedActivity.of(name, input, output, required(function, "a function"));
        if (functions.put(name, activity) != null) {
            throw twice(name);
        }
        return this;
    }

    private static DormouseException twice(String activity) {
        return new DormouseException(
                ErrorCode.BAD_ARGUMENT,
                "Expected one activity named '" + activity + "', but it is registered twice. Remove one.");
    }

    private Map<String, NamedActivity> namedActivities() {
        Map<String, NamedActivity> all = Activities.named(activities);
        functions.forEach((name, function) -> {
            if (all.put(name, function) != null) {
                throw twice(name);
            }
        });
        return all;
    }

    /**
     * Sets the options of steps and activities that are called without options. Default:
     * {@link ActivityOptions#DEFAULT}, which retries with back-off until they succeed.
     */
    public DormouseBuilder activityOptions(ActivityOptions options) {
        activityOptions = required(options, "activity options");
        return this;
    }

    /**
     * Declares activities that workflows on this node call and other nodes execute. Without this, a call of activities
     * that are not registered here is left to another node only if a live node has them.
     *
     * @throws DormouseException BAD_ACTIVITY_INTERFACE if {@code type} is not a valid activity interface, or
     *     another interface of the same name is registered here
     */
    public DormouseBuilder remoteActivities(Class<?> type) {
        checkActivities(required(type, "the interface of activities"));
        remoteActivities.add(type);
        return this;
    }

    /**
     * Serves a queue: this node executes runs and activities in it, provided that it has their code, and within these
     * limits. Default: no queues. Work in a queue that no node serves is not executed.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code name} is invalid or declared twice
     */
    public DormouseBuilder queue(String name, QueueOptions options) {
        Ids.checkedName("queue", required(name, "the name of a queue"));
        if (queues.put(name, EngineOptions.limits(required(options, "queue options"))) != null) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected one declaration of queue '" + name + "', but it is declared twice. Remove one.");
        }
        return this;
    }

    /** Sets the codec, which converts values to bytes. Default: {@link JacksonCodec}. */
    public DormouseBuilder codec(PayloadCodec payloadCodec) {
        codec = required(payloadCodec, "a codec");
        return this;
    }

    /** Sets the maximum size of one payload, in bytes. Default: 2 MiB. */
    public DormouseBuilder payloadLimit(int bytes) {
        payloadLimit = bytes;
        return this;
    }

    /**
     * Sets the name of this build of the workflows. Nodes of the same build refuse the same runs, so one of them is
     * enough to detect a mismatch. Different services on one database need different names. Default: every process is a
     * build of its own.
     *
     * @throws DormouseException BAD_SETTING if {@code name} is not 1 to 100 visible ASCII characters without spaces
     */
    public DormouseBuilder buildId(String name) {
        if (!BUILD.matcher(required(name, "the name of a build")).matches()) {
            throw badSetting("name of the build", "1 to 100 visible ASCII characters without spaces", "'" + name + "'");
        }
        build = name;
        return this;
    }

    /**
     * Sets the lease period: the time after which other nodes take over the runs of a silent node. A shorter period
     * means faster recovery, but more renewals, and a shorter pause of the process counts as its death. Default: 15 s.
     */
    public DormouseBuilder leasePeriod(Duration period) {
        leasePeriod = required(period, "a lease period");
        return this;
    }

    /** Sets the interval of the sweep, in which a node looks for alarms that it may have missed. Default: 10 s. */
    public DormouseBuilder sweepInterval(Duration interval) {
        sweepInterval = required(interval, "a sweep interval");
        return this;
    }

    /**
     * Sets the grace period after the deadline of a parked wait, or after the end of an activity's pause. During this
     * time, other nodes leave the run to the node that has it in memory. Default: 5 s.
     */
    public DormouseBuilder parkGrace(Duration grace) {
        parkGrace = required(grace, "a park grace");
        return this;
    }

    /**
     * Sets the maximum duration of waits that are spent in memory. The beginning of a longer wait after a signal or an
     * update is also spent in memory, because more may follow. Zero disables this. Default: 5 s.
     */
    public DormouseBuilder maxParkTime(Duration longest) {
        maxParkTime = required(longest, "a longest park");
        return this;
    }

    /**
     * Sets the maximum number of runs that execute on this node at the same time. Default: 10,000 on virtual threads,
     * 1,000 otherwise.
     */
    public DormouseBuilder maxExecuting(int runs) {
        maxExecuting = runs;
        return this;
    }

    /**
     * Sets the maximum number of runs that wait in memory on this node at the same time. Default: 10,000 on virtual
     * threads, 500 otherwise.
     */
    public DormouseBuilder maxParked(int runs) {
        maxParked = runs;
        return this;
    }

    /**
     * Sets the number of consecutive node deaths after which a run is stuck, if each death happened within a few
     * seconds after the run's code began. Twice as many deaths without any progress also make it stuck. Such a run is
     * tried again after a minute, then less and less often, down to once an hour. Default: 5.
     */
    public DormouseBuilder maxTakeovers(int times) {
        maxTakeovers = times;
        return this;
    }

    /** Sets the maximum number of events in a history; a run with more events is stuck. Default: 50,000. */
    public DormouseBuilder historyLimit(int events) {
        historyLimit = events;
        return this;
    }

    /** Sets the time that {@link Dormouse#close} gives running code to finish. Default: 10 s. */
    public DormouseBuilder closeGrace(Duration grace) {
        closeGrace = required(grace, "a close grace");
        return this;
    }

    /**
     * Sets the delay after which a stuck run is tried again, and the maximum that it grows to. Default: 1 minute,
     * growing to 1 hour.
     */
    public DormouseBuilder stuckRetry(Duration first, Duration longest) {
        stuckRetry = required(first, "a first wait of stuck runs");
        stuckRetryAtMost = required(longest, "a longest wait of stuck runs");
        return this;
    }

    /**
     * Sets the retention: this node deletes runs that closed longer than {@code age} ago, with their histories and
     * messages. Their workflow ids are then free. Open runs are never deleted. A node deletes closed runs of all types in
     * its store, even of other services, so the shortest retention of all nodes applies. Default: 30 days on a node that
     * has workflows or activities; a node without any deletes nothing. {@link #keepClosedRuns} disables this.
     *
     * @throws DormouseException BAD_ARGUMENT if {@code age} is null; {@link #open} throws BAD_SETTING if it is not above
     *     zero, or longer than 36,500 days
     */
    public DormouseBuilder retention(Duration age) {
        retention = required(age, "a retention");
        keepsClosedRuns = false;
        return this;
    }

    /**
     * Makes this node keep closed runs forever: it deletes nothing. Other nodes of the same store still delete closed
     * runs after their own retention. Default: {@link #retention} of 30 days.
     */
    public DormouseBuilder keepClosedRuns() {
        retention = null;
        keepsClosedRuns = true;
        return this;
    }

    private Optional<Duration> effectiveRetention() {
        if (retention != null || keepsClosedRuns) {
            return Optional.ofNullable(retention);
        }
        boolean executes = !workflows.isEmpty() || !activities.isEmpty() || !functions.isEmpty();
        return executes ? Optional.of(DEFAULT_RETENTION) : Optional.empty();
    }

    /**
     * Sets the time for which an event is kept for runs that begin to wait later. Zero disables this. Default: 1
     * minute.
     */
    public DormouseBuilder eventWindow(Duration time) {
        eventWindow = required(time, "an event window");
        return this;
    }

    /** Sets the number of commit batches that are in flight at the same time. Default: 2. */
    public DormouseBuilder writers(int number) {
        writers = number;
        return this;
    }

    /** Sets the display name of this node, for the dashboard and lists. Default: the host name and the process id. */
    public DormouseBuilder name(String display) {
        name = required(display, "a display name");
        return this;
    }

    /** Adds a monitor, which is notified of events on this node. Several monitors are called one after the other. */
    public DormouseBuilder monitor(Monitor monitor) {
        monitors.add(required(monitor, "a monitor"));
        return this;
    }

    /**
     * Opens the store and begins to execute runs.
     *
     * @throws DormouseException BAD_SETTING if a setting is out of range; BAD_ARGUMENT if a name is registered
     *     twice; UNKNOWN_STORE if no module on the class path accepts the store; STORE_UNAVAILABLE if the store does
     *     not respond; SCHEMA_MISSING or SCHEMA_TOO_NEW if its schema does not fit
     */
    public Dormouse open() {
        return EmbeddedDormouse.open(configuration());
    }

    private void check() {
        if (payloadLimit < 1) {
            throw badSetting("payload limit", "1 byte or more", payloadLimit);
        }
        if (name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw badSetting("name of the node", "up to " + LONGEST_NAME + " characters without line breaks", name);
        }
        if (shards < 1 || shards > Short.MAX_VALUE) {
            throw badSetting("number of shards", "1 to " + Short.MAX_VALUE, shards);
        }
        if (eventWindow.isNegative() || eventWindow.compareTo(LONGEST_WINDOW) > 0) {
            throw badSetting("event window", "from zero to " + LONGEST_WINDOW, eventWindow);
        }
    }

    private static DormouseException badSetting(String what, String expected, Object found) {
        return new DormouseException(
                ErrorCode.BAD_SETTING,
                "Expected the " + what + " to be " + expected + ", but it is " + found
                        + ". Change it in Dormouse.builder().");
    }

    /** Returns the present settings. */
    private NodeConfiguration configuration() {
        check();
        return new NodeConfiguration(
                new Stores.Choice(url, Optional.ofNullable(dataSource), schema, shards, migrate, readOnly),
                engineSettings(),
                build,
                name,
                new Payloads(codec, payloadLimit),
                eventWindow,
                activityOptions,
                workflows,
                Set.copyOf(elsewhere),
                anyElsewhere,
                activities,
                namedActivities(),
                remoteActivities,
                plugins,
                monitors);
    }

    private EngineSettings engineSettings() {
        return new EngineSettings(
                leasePeriod,
                sweepInterval,
                parkGrace,
                maxParkTime,
                maxExecuting,
                maxParked,
                maxTakeovers,
                historyLimit,
                closeGrace,
                stuckRetry,
                stuckRetryAtMost,
                effectiveRetention(),
                writers,
                queues);
    }
}
