package dev.dormouse.chaos.process;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.chaos.workload.ActivityWorkflow;
import dev.dormouse.chaos.workload.BookingWorkflow;
import dev.dormouse.chaos.workload.ParentWorkflow;
import dev.dormouse.chaos.workload.SagaWorkflow;
import dev.dormouse.chaos.workload.ScriptWorkflow;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A mixed load: a worker starts runs of all kinds at a fixed rate and checks their results. Thread-safe: counters are
 * atomic, and {@code problem} keeps one of the latest problems.
 */
public final class MixedLoad {
    private static final int STARTERS = 8;
    private static final long MOST_OPEN = 5_000;
    private static final List<Kind> KINDS = List.of(
            new Kind("one", ScriptWorkflow.TYPE, "a:0", "done"),
            new Kind("ten", ScriptWorkflow.TYPE, "a:0 b:0 c:0 d:0 e:0 f:0 g:0 h:0 i:0 j:0", "done"),
            new Kind("batched", ScriptWorkflow.BATCHED, "a:0 b:0 c:0 d:0 e:0 f:0 g:0 h:0 i:90 j:0", "done"),
            new Kind("soon", ActivityWorkflow.TYPE, "fail:50", "attempt 2"),
            new Kind("later", ActivityWorkflow.TYPE, "fail:6000", "attempt 2"),
            new Kind("timers", ScriptWorkflow.TYPE, "a:0 sleep:200 b:0 sleep:7000 c:0", "done"),
            new Kind("signals", "SignalCounter", 0, "[3, 0]"),
            new Kind("transaction", BookingWorkflow.TYPE, "7", "booked"),
            new Kind("saga", SagaWorkflow.TYPE, "1", "undone"),
            new Kind("heartbeats", ActivityWorkflow.TYPE, "count:20:10", "attempt 1"),
            new Kind("breath", ActivityWorkflow.TYPE, "pause:200", "attempt 1"),
            new Kind("pause", ActivityWorkflow.TYPE, "pause:6000", "attempt 1"),
            new Kind("children", ParentWorkflow.TYPE, "a:0+sleep:300+b:0", "done done"));

    private final Dormouse dormouse;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService starters = Executors.newFixedThreadPool(STARTERS);
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private volatile String problem = "-";

    private record Kind(String name, String type, Object input, String expected) {}

    public MixedLoad(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    /** prefix per-second */
    public String begin(String[] words) {
        long micros = 1_000_000 / Long.parseLong(words[1]);
        Future<?> unused = clock.scheduleAtFixedRate(() -> tick(words[0]), 0, micros, TimeUnit.MICROSECONDS);
        return "ok";
    }

    public String end() {
        clock.shutdown();
        return "ok";
    }

    /** Returns the number of started runs, of ended runs, of runs with a wrong result, and one such result. */
    public String progress() {
        return begun + " " + ended + " " + wrong + " " + problem;
    }

    private void tick(String prefix) {
        if (begun.get() - ended.get() < MOST_OPEN) {
            long number = begun.getAndIncrement();
            starters.execute(() -> start(KINDS.get((int) (number % KINDS.size())), prefix + number));
        }
    }

    private void start(Kind kind, String id) {
        try {
            WorkflowHandle<Object> handle = dormouse.start(kind.type, id + "-" + kind.name, Object.class, kind.input);
            Future<?> unused =
                    handle.resultAsync().whenComplete((result, failure) -> end(kind, String.valueOf(result), failure));
            if (kind.name.equals("signals")) {
                for (int i = 0; i < 3; i++) {
                    handle.signal("add", 0, i);
                }
                handle.signal("end");
            }
        } catch (RuntimeException failure) {
            end(kind, "", failure);
        }
    }

    private void end(Kind kind, String result, Throwable failure) {
        ended.incrementAndGet();
        if (failure != null || !result.equals(kind.expected)) {
            wrong.incrementAndGet();
            problem = (kind.name + ": " + result + " " + failure).replace('\n', ' ');
        }
    }
}
