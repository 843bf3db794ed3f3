package dev.dormouse.chaos.process;

import dev.dormouse.Dormouse;
import dev.dormouse.StartOptions;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.chaos.workload.ScriptWorkflow;
import dev.dormouse.chaos.workload.SleepingDag;
import dev.dormouse.chaos.workload.TwoBuildsWorkflow;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/** The commands that a test can send to a worker. */
public final class WorkerCommands {
    private static final int CLIENTS = 200;
    private static final int COLLECTIONS = 4;

    private final Dormouse dormouse;
    private final SignalCommands mail;
    private final StepCommands steps;
    private final MixedLoad load;
    private final WorkerTimerCommands timers;

    public WorkerCommands(Dormouse dormouse) {
        this.dormouse = dormouse;
        this.mail = new SignalCommands(dormouse);
        this.steps = new StepCommands(dormouse);
        this.load = new MixedLoad(dormouse);
        this.timers = new WorkerTimerCommands(dormouse);
    }

    public String answer(String command) {
        String[] words = command.split(" ", 2);
        String rest = words.length > 1 ? words[1] : "";
        try {
            return switch (words[0]) {
                case "start" -> start(rest.split(" ", 2));
                case "order" -> order(rest.split(" "));
                case "many" -> many(rest.split(" ", 3));
                case "queued" -> queued(rest.split(" ", 3));
                case "spread" -> spread(rest.split(" "));
                case "later" -> later(rest.split(" ", 5));
                case "race" -> race(rest.split(" ", 4));
                case "memory" -> memory();
                case "pelt" -> mail.pelt(rest.split(" "));
                case "storm" -> mail.storm(rest.split(" "));
                case "seen" -> mail.seen(rest.split(" "));
                case "signal" -> mail.signal(rest.split(" "));
                case "result" -> mail.result(rest.split(" "));
                case "arm" -> steps.arm(rest.split(" "));
                case "one" -> steps.one(rest.split(" "));
                case "several" -> steps.several(rest.split(" "));
                case "end" -> steps.end(rest.split(" "));
                case "step" -> steps.step(rest.split(" "));
                case "load" -> load.begin(rest.split(" "));
                case "unload" -> load.end();
                case "loaded" -> load.progress();
                case "nap" -> SleepingDag.start(dormouse, rest);
                case "timers" -> timers.set(rest.split(" "));
                default -> throw new IllegalArgumentException(command);
            };
        } catch (Exception e) {
            return "failed: " + e;
        }
    }

    /** id script */
    private String start(String[] words) {
        return begin(words[0], words[1]).toString();
    }

    private UUID begin(String workflowId, String script) {
        WorkflowHandle<String> handle = dormouse.start(ScriptWorkflow.TYPE, workflowId, String.class, script);
        return handle.runId();
    }

    /** prefix number millis */
    private String order(String[] words) {
        for (int i = 0; i < Integer.parseInt(words[1]); i++) {
            dormouse.start(TwoBuildsWorkflow.TYPE, words[0] + i, String.class, Integer.parseInt(words[2]));
        }
        return "ok";
    }

    /** prefix number script, in which {@code #} stands for the run's number */
    private String many(String[] words) throws Exception {
        inParallel(Integer.parseInt(words[1]), i -> begin(words[0] + i, words[2].replace("#", Integer.toString(i))));
        return "ok";
    }

    /** prefix number script: starts runs in a queue */
    private String queued(String[] words) throws Exception {
        StartOptions inQueue = StartOptions.DEFAULT.withQueue("q");
        inParallel(
                Integer.parseInt(words[1]),
                i -> dormouse.start(ScriptWorkflow.TYPE, words[0] + i, inQueue, String.class, words[2]));
        return "ok";
    }

    /** prefix number first-in-millis step-in-millis: starts runs that sleep until one instant after the other */
    private String spread(String[] words) throws Exception {
        long first = System.currentTimeMillis() + Long.parseLong(words[2]);
        long step = Long.parseLong(words[3]);
        inParallel(Integer.parseInt(words[1]), i -> begin(words[0] + i, "until:" + (first + i * step)));
        return "ok";
    }

    /** prefix number first-start-in-millis step-in-micros script: starts runs with a delay, one after the other */
    private String later(String[] words) throws Exception {
        Instant first = Instant.now().plusMillis(Long.parseLong(words[2]));
        Duration step = Duration.ofNanos(Long.parseLong(words[3]) * 1_000);
        inParallel(Integer.parseInt(words[1]), i -> {
            StartOptions options = StartOptions.DEFAULT.withStartAt(first.plus(step.multipliedBy(i)));
            dormouse.start(ScriptWorkflow.TYPE, words[0] + i, options, String.class, words[4]);
        });
        return "ok";
    }

    /**
     * id threads at-epoch-millis script: starts one id from many threads at the same instant; answers with the run ids
     */
    private String race(String[] words) throws Exception {
        int threads = Integer.parseInt(words[1]);
        long at = Long.parseLong(words[2]);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<Future<UUID>> starts = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            starts.add(pool.submit(() -> {
                LockSupport.parkUntil(at);
                return begin(words[0], words[3]);
            }));
        }
        Set<String> runs = new TreeSet<>();
        for (Future<UUID> start : starts) {
            runs.add(start.get().toString());
        }
        pool.shutdown();
        return String.join(" ", runs);
    }

    /** Runs a task in parallel. When it returns, handles are dropped and the threads are gone. */
    public static void inParallel(int number, IntConsumer task) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(CLIENTS);
        Semaphore queued = new Semaphore(2 * CLIENTS);
        List<Throwable> failures = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            int n = i;
            queued.acquire();
            pool.execute(() -> {
                try {
                    task.accept(n);
                } catch (RuntimeException e) {
                    synchronized (failures) {
                        failures.add(e);
                    }
                } finally {
                    queued.release();
                }
            });
        }
        pool.shutdown();
        if (!pool.awaitTermination(5, TimeUnit.MINUTES) || !failures.isEmpty()) {
            throw new IllegalStateException(failures.size() + " of " + number + " failed: " + failures);
        }
    }

    /** Returns the bytes of heap in use after a garbage collection, the live threads and the peak thread count. */
    private static String memory() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        for (int i = 0; i < COLLECTIONS; i++) {
            memory.gc();
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return memory.getHeapMemoryUsage().getUsed() + " " + threads.getThreadCount() + " "
                + threads.getPeakThreadCount();
    }
}
