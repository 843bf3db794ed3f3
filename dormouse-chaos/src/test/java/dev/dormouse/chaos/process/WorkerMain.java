package dev.dormouse.chaos.process;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Durability;
import dev.dormouse.QueueOptions;
import dev.dormouse.chaos.workload.ActivityWorkflow;
import dev.dormouse.chaos.workload.BookingWorkflow;
import dev.dormouse.chaos.workload.ParentWorkflow;
import dev.dormouse.chaos.workload.SagaWorkflow;
import dev.dormouse.chaos.workload.ScriptWorkflow;
import dev.dormouse.chaos.workload.SignalCounter;
import dev.dormouse.chaos.workload.SleepingDag;
import dev.dormouse.chaos.workload.TestActivities;
import dev.dormouse.chaos.workload.TwoBuildsWorkflow;
import dev.dormouse.chaos.workload.WorkerJournal;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.internal.thread.JvmThreads;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The main class of a worker process with a Dormouse in it. Reads commands line by line from standard input and answers
 * each with a line on standard output. Ends with its input, so that it never outlives the test that started it. Its
 * arguments are settings, such as {@code lease=2000} in milliseconds.
 */
public final class WorkerMain {
    public static final String READY = "ready";

    private final Map<String, String> settings = new HashMap<>();

    private WorkerMain(String[] arguments) {
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            settings.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
    }

    public static void main(String[] arguments) throws Exception {
        BlockingQueue<String> commands = listen();
        WorkerMain worker = new WorkerMain(arguments);
        try (Dormouse dormouse = worker.open()) {
            say(READY);
            worker.dieSoon(worker.settings.get("dieAfter"));
            WorkerCommands able = new WorkerCommands(dormouse);
            for (String command = commands.take(); !command.equals("close"); command = commands.take()) {
                say(able.answer(command));
            }
        }
        say("closed");
        Runtime.getRuntime().halt(0);
    }

    /** Halts this process like a crash after the given number of milliseconds; never if it is null. */
    private void dieSoon(@Nullable String after) {
        if (after != null) {
            LockSupport.parkNanos(millis(after).toNanos());
            Runtime.getRuntime().halt(9);
        }
    }

    /** Reads on a separate thread, so that the end of the input is noticed at any time. */
    private static BlockingQueue<String> listen() {
        BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Thread reader = new Thread(() -> {
            try {
                for (String line = input.readLine(); line != null; line = input.readLine()) {
                    commands.add(line);
                }
            } catch (IOException gone) {
                // same as the end of the input
            }
            Runtime.getRuntime().halt(1);
        });
        reader.setDaemon(true);
        reader.start();
        return commands;
    }

    private Dormouse open() throws IOException {
        String store = settings.get("store");
        WorkerJournal.Writer journal = new WorkerJournal.Writer(Path.of(settings.get("journal")));
        DormouseBuilder builder = Dormouse.builder().store(store);
        code(builder, journal);
        settings.forEach((name, value) -> set(builder, name, value));
        if (settings.getOrDefault("code", "").endsWith("timers")) {
            Dormouse dormouse = builder.open();
            WorkerTimerCommands.handle(dormouse, journal, prefix());
            return dormouse;
        } else if (!settings.containsKey("holds")) {
            return builder.open();
        }
        BreakpointStore holding = new BreakpointStore(journal);
        return isSqlite()
                ? ConfigurationAccess.open(builder, holding.onSqlite(store), new JvmThreads(), new SecureRandom())
                : builder.store(holding.onPostgres(store)).open();
    }

    private boolean isSqlite() {
        return settings.get("store").startsWith("sqlite:");
    }

    private void code(DormouseBuilder builder, WorkerJournal.Writer journal) {
        String code = settings.getOrDefault("code", "script");
        switch (code) {
            case "script", "script+timers" ->
                builder.workflow(ScriptWorkflow.TYPE, String.class, String.class, new ScriptWorkflow(journal));
            case "timers" -> {} // their handlers are added when it is open
            case "nap" -> SleepingDag.register(builder, journal, millis(settings.get("nap")));
            case "none" -> builder.remoteWorkflow(ScriptWorkflow.TYPE);
            case "steps" -> steps(builder, journal);
            case "tally" -> builder.workflow(SignalCounter.class, SignalCounter.Implementation::new);
            case "tallyElsewhere" -> builder.remoteWorkflow(SignalCounter.class);
            default ->
                builder.workflow(
                        TwoBuildsWorkflow.TYPE, Integer.class, String.class, new TwoBuildsWorkflow(journal, code));
        }
    }

    /** Returns the prefix of table names. */
    private String prefix() {
        return isSqlite() ? "dormouse_" : settings.get("schema") + ".";
    }

    private void steps(DormouseBuilder builder, WorkerJournal.Writer journal) {
        builder.workflow(ScriptWorkflow.TYPE, String.class, String.class, new ScriptWorkflow(journal))
                .workflow(
                        ScriptWorkflow.BATCHED,
                        Durability.BATCHED,
                        String.class,
                        String.class,
                        new ScriptWorkflow(journal))
                .workflow(ActivityWorkflow.TYPE, String.class, String.class, new ActivityWorkflow())
                .workflow(BookingWorkflow.TYPE, String.class, String.class, new BookingWorkflow(journal, prefix()))
                .workflow(ParentWorkflow.TYPE, String.class, String.class, new ParentWorkflow())
                .workflow(SignalCounter.class, SignalCounter.Implementation::new)
                .workflow(SagaWorkflow.TYPE, String.class, String.class, new SagaWorkflow(journal))
                .activities(TestActivities.class, new TestActivities.Implementation(journal));
    }

    private static void set(DormouseBuilder builder, String name, String value) {
        switch (name) {
            case "schema" -> builder.schema(value);
            case "lease" -> builder.leasePeriod(millis(value));
            case "sweep" -> builder.sweepInterval(millis(value));
            case "parkGrace" -> builder.parkGrace(millis(value));
            case "maxParkTime" -> builder.maxParkTime(millis(value));
            case "closeGrace" -> builder.closeGrace(millis(value));
            case "maxExecuting" -> builder.maxExecuting(Integer.parseInt(value));
            case "maxParked" -> builder.maxParked(Integer.parseInt(value));
            case "maxTakeovers" -> builder.maxTakeovers(Integer.parseInt(value));
            case "retention" -> builder.retention(millis(value));
            case "build" -> builder.buildId(value);
            case "queueTotal" -> builder.queue("q", QueueOptions.DEFAULT.withMaxTotal(Integer.parseInt(value)));
            case "queueRate" ->
                builder.queue("q", QueueOptions.DEFAULT.withRate(Integer.parseInt(value), Duration.ofSeconds(1)));
            default -> {}
        }
    }

    private static Duration millis(String text) {
        return Duration.ofMillis(Long.parseLong(text));
    }

    @SuppressWarnings("SystemOut")
    private static void say(String line) {
        System.out.println(line);
    }
}
