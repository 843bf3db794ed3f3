package dev.dormouse;

import static dev.dormouse.Arguments.required;

import dev.dormouse.codec.JacksonCodec;
import dev.dormouse.codec.PayloadCodec;
import dev.dormouse.engine.EngineSettings;
import dev.dormouse.engine.Families;
import dev.dormouse.engine.JvmThreads;
import dev.dormouse.engine.NodeName;
import dev.dormouse.engine.QueueLimits;
import dev.dormouse.engine.Threads;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.store.Store;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Sets a {@link Dormouse} up. Not thread-safe. Everything but the store has a default. */
public final class DormouseBuilder {
    private static final int LONGEST_NAME = 100;
    private static final Pattern BUILD = Pattern.compile("[!-~]{1,100}");
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
    private Duration parkAtMost = Duration.ofSeconds(5);
    private int maxExecuting = VIRTUAL ? 10_000 : 1_000;
    private int maxParked = VIRTUAL ? 10_000 : 500;
    private int maxTakeovers = 5;
    private int historyLimit = 50_000;
    private Duration closeGrace = Duration.ofSeconds(10);
    private Duration stuckRetry = Duration.ofMinutes(1);
    private Duration stuckRetryAtMost = Duration.ofHours(1);
    private @Nullable Duration retention;
    private int writers = 2;
    private Duration eventWindow = Duration.ofMinutes(1);
    private ActivityOptions activityOptions = ActivityOptions.DEFAULT;
    private final List<WorkflowDefinition> workflows = new ArrayList<>();
    private final Map<Class<?>, Object> activities = new LinkedHashMap<>();
    private final Map<String, NamedActivity> functions = new LinkedHashMap<>();
    private final Set<String> elsewhere = new TreeSet<>();
    private final List<Plugin> plugins = new ArrayList<>();
    private final List<Monitor> monitors = new ArrayList<>();
    private final Set<Class<?>> activitiesElsewhere = new LinkedHashSet<>();
    private final Map<String, QueueLimits> queues = new LinkedHashMap<>();

    DormouseBuilder() {}

    /** Where runs are kept: {@code sqlite:FILE}, {@code sqlite::memory:} or {@code jdbc:postgresql://…}. */
    public DormouseBuilder store(String storeUrl) {
        url = required(storeUrl, "the URL of a store");
        return this;
    }

    /** Where runs are kept: a database that your program has connections to. */
    public DormouseBuilder store(DataSource storeDataSource) {
        dataSource = required(storeDataSource, "a DataSource");
        return this;
    }

    /** The schema of the tables, on PostgreSQL. Default: {@code dormouse}. */
    public DormouseBuilder schema(String name) {
        schema = required(name, "the name of a schema");
        return this;
    }

    /** Into how many shards a new database is divided. Default: 1. */
    public DormouseBuilder shards(int number) {
        shards = number;
        return this;
    }

    /** Whether to create and upgrade the tables. Default: yes. */
    public DormouseBuilder migrate(boolean yes) {
        migrate = yes;
        return this;
    }

    /**
     * Only looks at what is there: lists, descriptions and histories. Executes and changes nothing, also no schema, and all
     * calls that would are refused. An SQLite file can be read in this way while another process has it open. Default: no.
     */
    public DormouseBuilder readOnly() {
        readOnly = true;
        return this;
    }

    boolean isReadOnly() {
        return readOnly;
    }

    /** A workflow that is described by an interface. The implementation is made anew for each run and each replay. */
    public <W> DormouseBuilder workflow(Class<W> type, Supplier<? extends W> implementation) {
        return workflow(type, implementation, Durability.STRICT);
    }

    /** The same, with a say in when results of its steps are committed. */
    public <W> DormouseBuilder workflow(Class<W> type, Supplier<? extends W> implementation, Durability durability) {
        workflows.add(WorkflowDefinition.of(
                required(type, "the interface of a workflow"),
                required(implementation, "its implementation"),
                required(durability, "a durability")));
        return this;
    }

    /** A workflow as a function. */
    public <I extends @Nullable Object, O extends @Nullable Object> DormouseBuilder workflow(
            String type, Class<I> input, Class<O> output, WorkflowFunction<I, O> function) {
        return workflow(type, input, output, function, Durability.STRICT);
    }

    /** The same, with a say in when results of its steps are committed. */
    public <I extends @Nullable Object, O extends @Nullable Object> DormouseBuilder workflow(
            String type, Class<I> input, Class<O> output, WorkflowFunction<I, O> function, Durability durability) {
        return workflow(type, TypeRef.of(input), TypeRef.of(output), function, durability);
    }

    /** A workflow as a function, with types that have type parameters. */
    public <I extends @Nullable Object, O extends @Nullable Object> DormouseBuilder workflow(
            String type, TypeRef<I> input, TypeRef<O> output, WorkflowFunction<I, O> function) {
        return workflow(type, input, output, function, Durability.STRICT);
    }

    /** A workflow as a function, with types that have type parameters and a say in when results are committed. */
    public <I extends @Nullable Object, O extends @Nullable Object> DormouseBuilder workflow(
            String type, TypeRef<I> input, TypeRef<O> output, WorkflowFunction<I, O> function, Durability durability) {
        workflows.add(WorkflowDefinition.of(
                required(type, "the name of a workflow type"),
                required(input, "the type of its input").type(),
                required(output, "the type of its output").type(),
                required(function, "its function"),
                required(durability, "a durability")));
        return this;
    }

    /** A workflow type that is started here but executed by other nodes. */
    public DormouseBuilder workflowElsewhere(String type) {
        elsewhere.add(WorkflowDefinition.checkedName(required(type, "the name of a workflow type")));
        return this;
    }

    /** A workflow type that is started here but executed by other nodes. */
    public DormouseBuilder workflowElsewhere(Class<?> type) {
        return workflowElsewhere(WorkflowDefinition.nameOf(required(type, "the interface of a workflow")));
    }

    /**
     * All workflow types that are not registered here are started all the same, for other nodes to execute. Default: no, so
     * that a type that is misspelt is noticed.
     */
    public DormouseBuilder workflowsElsewhere() {
        anyElsewhere = true;
        return this;
    }

    boolean isAnyElsewhere() {
        return anyElsewhere;
    }

    /**
     * Workflows whose types are the name of a family, a colon, and a name of their own, all executed by this
     * implementation: {@code Workflow.info().type()} tells it which one a run is of.
     */
    public <W> DormouseBuilder workflowFamily(String family, Class<W> type, Supplier<? extends W> implementation) {
        workflows.add(WorkflowDefinition.named(
                Families.named(WorkflowDefinition.nameOfOne(required(family, "the name of a family"))),
                required(type, "the interface of a workflow"),
                required(implementation, "its implementation"),
                Durability.STRICT));
        return this;
    }

    /** Adds a module of Dormouse, which registers what it needs. */
    public DormouseBuilder with(Plugin plugin) {
        plugins.add(required(plugin, "a plugin"));
        plugin.register(this);
        return this;
    }

    List<Plugin> plugins() {
        return plugins;
    }

    /**
     * Registers what executes the activities of an interface. Called by many threads.
     *
     * @throws DormouseException BAD_ACTIVITY_INTERFACE if another interface of the same name is registered here, see
     *     {@link ActivityInterface#name}
     */
    public <A> DormouseBuilder activities(Class<A> type, A implementation) {
        checkActivities(required(type, "the interface of activities"));
        if (activities.put(type, required(implementation, "an implementation of " + type.getName())) != null) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected one implementation of " + type.getName()
                            + ", but it is registered twice. Leave one out.");
        }
        return this;
    }

    private void checkActivities(Class<?> type) {
        ActivityStub.check(type);
        Activities.checkName(type, activities.keySet());
        Activities.checkName(type, activitiesElsewhere);
    }

    /** An activity as a function, for those who call it by its name, see {@link WorkflowContext#activity}. */
    public <I extends @Nullable Object, O extends @Nullable Object> DormouseBuilder activity(
            String name, Class<I> input, Class<O> output, ActivityFunction<I, O> function) {
        return activity(name, TypeRef.of(input), TypeRef.of(output), function);
    }

    /** An activity as a function, with types that have type parameters. */
    public <I extends @Nullable Object, O extends @Nullable Object> DormouseBuilder activity(
            String name, TypeRef<I> input, TypeRef<O> output, ActivityFunction<I, O> function) {
        NamedActivity activity = NamedActivity.of(name, input, output, required(function, "what the activity does"));
        if (functions.put(name, activity) != null) {
            throw twice(name);
        }
        return this;
    }

    private static DormouseException twice(String activity) {
        return new DormouseException(
                ErrorCode.BAD_ARGUMENT,
                "Expected one activity named '" + activity + "', but it is registered twice. Leave one out.");
    }

    /** All activities that can be called by their names. */
    Map<String, NamedActivity> namedActivities() {
        Map<String, NamedActivity> all = Activities.named(activities);
        functions.forEach((name, function) -> {
            if (all.put(name, function) != null) {
                throw twice(name);
            }
        });
        return all;
    }

    /**
     * How steps and activities are executed whose call says nothing else. Default: {@link ActivityOptions#DEFAULT}, by
     * which they are tried again with back-off until they succeed.
     */
    public DormouseBuilder activityOptions(ActivityOptions options) {
        activityOptions = required(options, "activity options");
        return this;
    }

    /**
     * Activities that workflows of this node call and that other nodes execute. Without this, a call of activities that
     * are not registered here is left to another node only if one that has them is alive.
     */
    public DormouseBuilder activitiesElsewhere(Class<?> type) {
        checkActivities(required(type, "the interface of activities"));
        activitiesElsewhere.add(type);
        return this;
    }

    /**
     * Serves a queue: this node executes runs and activities that are in it, as far as it has their code, and within
     * these limits. Default: none; nobody executes what is in a queue that no node serves.
     */
    public DormouseBuilder queue(String name, QueueOptions options) {
        WorkflowDefinition.checkedName("queue", required(name, "the name of a queue"));
        if (queues.put(name, required(options, "queue options").limits()) != null) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected one declaration of queue '" + name + "', but it is declared twice. Leave one out.");
        }
        return this;
    }

    /** How values become bytes. Default: {@link JacksonCodec}. */
    public DormouseBuilder codec(PayloadCodec payloadCodec) {
        codec = required(payloadCodec, "a codec");
        return this;
    }

    /** How many bytes one payload may have. Default: 2 MiB. */
    public DormouseBuilder payloadLimit(int bytes) {
        payloadLimit = bytes;
        return this;
    }

    /**
     * Which build of the workflows this is. Nodes of the same build refuse the same runs, so that one of them is enough
     * to find out. Different services on one database need different names. Default: every process is a build of its own.
     */
    public DormouseBuilder build(String name) {
        if (!BUILD.matcher(required(name, "the name of a build")).matches()) {
            throw badSetting(
                    "name of the build", "1 to 100 visible characters of ASCII, without spaces", "'" + name + "'");
        }
        build = name;
        return this;
    }

    /**
     * How long a node may be silent before others take its runs over. Default: 15 s. Shorter: faster recovery, more
     * renewals, and pauses of the process count sooner as its death.
     */
    public DormouseBuilder leasePeriod(Duration period) {
        leasePeriod = required(period, "a lease period");
        return this;
    }

    /** How often a node looks for what it may have missed. Default: 10 s. */
    public DormouseBuilder sweepInterval(Duration interval) {
        sweepInterval = required(interval, "a sweep interval");
        return this;
    }

    /**
     * How long after the deadline of a short wait, or the end of a pause of an activity, others leave it to the node that
     * has it in mind. Default: 5 s.
     */
    public DormouseBuilder parkGrace(Duration grace) {
        parkGrace = required(grace, "a park grace");
        return this;
    }

    /**
     * Waits up to this long are spent in memory, and so is the beginning of a longer one after a signal or an update, because
     * more may come. Default: 5 s. Zero: none.
     */
    public DormouseBuilder parkAtMost(Duration longest) {
        parkAtMost = required(longest, "a longest park");
        return this;
    }

    /** How many runs execute here at a time. Default: 10,000 on virtual threads, 1,000 otherwise. */
    public DormouseBuilder maxExecuting(int runs) {
        maxExecuting = runs;
        return this;
    }

    /** How many runs wait in memory at a time. Default: 10,000 on virtual threads, 500 otherwise. */
    public DormouseBuilder maxParked(int runs) {
        maxParked = runs;
        return this;
    }

    /**
     * Sets how many deaths in a row, each within a few seconds of its code having begun, make a run stuck. Twice as many
     * deaths without any progress do too. A run that is stuck for this reason is tried again after a minute, then ever more
     * rarely, up to once an hour. Default: 5.
     */
    public DormouseBuilder maxTakeovers(int times) {
        maxTakeovers = times;
        return this;
    }

    /** How many events a history may have before its run is stuck. Default: 50,000. */
    public DormouseBuilder historyLimit(int events) {
        historyLimit = events;
        return this;
    }

    /** How long {@link Dormouse#close} gives running code. Default: 10 s. */
    public DormouseBuilder closeGrace(Duration grace) {
        closeGrace = required(grace, "a close grace");
        return this;
    }

    /** When a stuck run is tried again: first, and at the longest. Default: after 1 minute, then up to 1 hour. */
    public DormouseBuilder stuckRetry(Duration first, Duration longest) {
        stuckRetry = required(first, "a first wait of stuck runs");
        stuckRetryAtMost = required(longest, "a longest wait of stuck runs");
        return this;
    }

    /** How long closed runs are kept. Default: for ever. */
    public DormouseBuilder retention(Duration age) {
        retention = required(age, "a retention");
        return this;
    }

    /** How long an event is kept for runs that begin to wait for it later. Default: 1 minute. Zero: not at all. */
    public DormouseBuilder eventWindow(Duration time) {
        eventWindow = required(time, "a window for events");
        return this;
    }

    Duration eventWindow() {
        return eventWindow;
    }

    /** How many batches of commits are on their way at a time. Default: 2. */
    public DormouseBuilder writers(int number) {
        writers = number;
        return this;
    }

    /** What people call this node, on pages and in lists. Default: the host's name and the process id. */
    public DormouseBuilder name(String display) {
        name = required(display, "a name for people");
        return this;
    }

    /** Is told what happens on this node. Several are told one after the other. */
    public DormouseBuilder monitor(Monitor monitor) {
        monitors.add(required(monitor, "a monitor"));
        return this;
    }

    List<Monitor> monitors() {
        return monitors;
    }

    /** Opens the store and begins to execute runs. */
    public Dormouse open() {
        check();
        settings();
        Store store = Stores.open(storeChoice());
        try {
            return open(store, new JvmThreads(), new SecureRandom());
        } catch (RuntimeException problem) {
            store.close();
            throw problem;
        }
    }

    /**
     * The same on a store, threads and a source of chance that are handed in: for test kits and others who are at home
     * in the engine. The store is closed with the Dormouse.
     */
    public Dormouse open(Store store, Threads threads, RandomGenerator random) {
        check();
        return EmbeddedDormouse.open(this, store, threads, settings(), random);
    }

    /**
     * Goes through the history of a run with the code that is registered here, without a store and without executing any
     * step: for test kits and tools. Returns when the code matches the history, which begins with its
     * {@link Event.RunStarted}.
     *
     * @throws dev.dormouse.engine.CodeMismatch when the code does not do again what is recorded
     */
    public void replay(String workflowId, UUID runId, List<Event> history) {
        new HistoryReplay(this).replay(workflowId, runId, history);
    }

    private void check() {
        if (payloadLimit < 1) {
            throw badSetting("payload limit", "1 byte or more", payloadLimit);
        }
        if (name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
            throw badSetting("name of the node", "up to " + LONGEST_NAME + " characters in one line", name);
        }
        if (shards < 1 || shards > Short.MAX_VALUE) {
            throw badSetting("number of shards", "1 to " + Short.MAX_VALUE, shards);
        }
        if (eventWindow.isNegative() || eventWindow.compareTo(LONGEST_WINDOW) > 0) {
            throw badSetting("window for events", "from zero to " + LONGEST_WINDOW, eventWindow);
        }
    }

    private static DormouseException badSetting(String what, String expected, Object found) {
        return new DormouseException(
                ErrorCode.BAD_SETTING,
                "Expected the " + what + " to be " + expected + ", but it is " + found
                        + ". Change it in Dormouse.builder().");
    }

    EngineSettings settings() {
        return new EngineSettings(
                leasePeriod,
                sweepInterval,
                parkGrace,
                parkAtMost,
                maxExecuting,
                maxParked,
                maxTakeovers,
                historyLimit,
                closeGrace,
                stuckRetry,
                stuckRetryAtMost,
                Optional.ofNullable(retention),
                writers,
                queues);
    }

    Stores.Choice storeChoice() {
        return new Stores.Choice(url, Optional.ofNullable(dataSource), schema, shards, migrate, readOnly);
    }

    Payloads payloads() {
        return new Payloads(codec, payloadLimit);
    }

    NodeName nodeName(RandomGenerator random) {
        String nodeId = new UUID(random.nextLong(), random.nextLong()).toString();
        return new NodeName(
                nodeId, build.isEmpty() ? nodeId : build, name.isEmpty() ? MachineName.withProcess() : name);
    }

    List<WorkflowDefinition> workflows() {
        return workflows;
    }

    ActivityOptions activityOptions() {
        return activityOptions;
    }

    Set<Class<?>> activitiesElsewhere() {
        return activitiesElsewhere;
    }

    Map<Class<?>, Object> activities() {
        return activities;
    }

    Set<String> elsewhere() {
        return elsewhere;
    }
}
