package dev.dormouse.chaos;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.Durability;
import dev.dormouse.QueueOptions;
import dev.dormouse.engine.JvmThreads;
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
 * A process of its own with a Dormouse in it. Reads commands line by line from its standard input and answers each with
 * a line on its standard output; ends when there is no more input, so that it never outlives the test that started it.
 * Its arguments are settings, such as {@code lease=2000} in milliseconds.
 */
final class Worker {
    static final String READY = "ready";

    private final Map<String, String> settings = new HashMap<>();

    private Worker(String[] arguments) {
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            settings.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
    }

    public static void main(String[] arguments) throws Exception {
        BlockingQueue<String> commands = listen();
        Worker worker = new Worker(arguments);
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

    /** Ends this process so many milliseconds from now as a crash would; not at all for null. */
    private void dieSoon(@Nullable String after) {
        if (after != null) {
            LockSupport.parkNanos(millis(after).toNanos());
            Runtime.getRuntime().halt(9);
        }
    }

    /** Reads on a thread of its own, so that the end of the input is noticed in the middle of anything. */
    private static BlockingQueue<String> listen() {
        BlockingQueue<String> commands = new LinkedBlockingQueue<>();
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Thread reader = new Thread(() -> {
            try {
                for (String line = input.readLine(); line != null; line = input.readLine()) {
                    commands.add(line);
                }
            } catch (IOException gone) {
                // the end as well
            }
            Runtime.getRuntime().halt(1);
        });
        reader.setDaemon(true);
        reader.start();
        return commands;
    }

    private Dormouse open() throws IOException {
        String store = settings.get("store");
        Journal.Writer journal = new Journal.Writer(Path.of(settings.get("journal")));
        DormouseBuilder builder = Dormouse.builder().store(store);
        code(builder, journal);
        settings.forEach((name, value) -> set(builder, name, value));
        if (settings.getOrDefault("code", "").endsWith("timers")) {
            Dormouse dormouse = builder.open();
            TimerCommands.handle(dormouse, journal, prefix());
            return dormouse;
        } else if (!settings.containsKey("holds")) {
            return builder.open();
        }
        HoldingStore holding = new HoldingStore(journal);
        return isSqlite()
                ? builder.open(holding.onSqlite(store), new JvmThreads(), new SecureRandom())
                : builder.store(holding.onPostgres(store)).open();
    }

    private boolean isSqlite() {
        return settings.get("store").startsWith("sqlite:");
    }

    private void code(DormouseBuilder builder, Journal.Writer journal) {
        String code = settings.getOrDefault("code", "script");
        switch (code) {
            case "script", "script+timers" ->
                builder.workflow(Script.TYPE, String.class, String.class, new Script(journal));
            case "timers" -> {} // whose handlers are added when it is open
            case "nap" -> Naps.register(builder, journal, millis(settings.get("nap")));
            case "none" -> builder.workflowElsewhere(Script.TYPE);
            case "steps" -> steps(builder, journal);
            case "tally" -> builder.workflow(Tally.class, Tally.Implementation::new);
            case "tallyElsewhere" -> builder.workflowElsewhere(Tally.class);
            default -> builder.workflow(Order.TYPE, Integer.class, String.class, new Order(journal, code));
        }
    }

    /** Before the names of tables. */
    private String prefix() {
        return isSqlite() ? "dormouse_" : settings.get("schema") + ".";
    }

    private void steps(DormouseBuilder builder, Journal.Writer journal) {
        builder.workflow(Script.TYPE, String.class, String.class, new Script(journal))
                .workflow(Script.BATCHED, String.class, String.class, new Script(journal), Durability.BATCHED)
                .workflow(Task.TYPE, String.class, String.class, new Task())
                .workflow(Bank.TYPE, String.class, String.class, new Bank(journal, prefix()))
                .workflow(Family.TYPE, String.class, String.class, new Family())
                .workflow(Tally.class, Tally.Implementation::new)
                .workflow(Trip.TYPE, String.class, String.class, new Trip(journal))
                .activities(Chores.class, new Chores.Implementation(journal));
    }

    private static void set(DormouseBuilder builder, String name, String value) {
        switch (name) {
            case "schema" -> builder.schema(value);
            case "lease" -> builder.leasePeriod(millis(value));
            case "sweep" -> builder.sweepInterval(millis(value));
            case "parkGrace" -> builder.parkGrace(millis(value));
            case "parkAtMost" -> builder.parkAtMost(millis(value));
            case "closeGrace" -> builder.closeGrace(millis(value));
            case "maxExecuting" -> builder.maxExecuting(Integer.parseInt(value));
            case "maxParked" -> builder.maxParked(Integer.parseInt(value));
            case "maxTakeovers" -> builder.maxTakeovers(Integer.parseInt(value));
            case "retention" -> builder.retention(millis(value));
            case "build" -> builder.build(value);
            case "queueTotal" -> builder.queue("q", QueueOptions.DEFAULT.total(Integer.parseInt(value)));
            case "queueRate" ->
                builder.queue("q", QueueOptions.DEFAULT.rate(Integer.parseInt(value), Duration.ofSeconds(1)));
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
