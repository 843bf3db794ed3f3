package dev.dormouse.chaos;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Runs of all kinds that a worker starts, so many a second, and whose results it checks. */
final class Load {
    private static final int STARTERS = 8;
    private static final long MOST_OPEN = 5_000;
    private static final List<Kind> KINDS = List.of(
            new Kind("one", Script.TYPE, "a:0", "done"),
            new Kind("ten", Script.TYPE, "a:0 b:0 c:0 d:0 e:0 f:0 g:0 h:0 i:0 j:0", "done"),
            new Kind("batched", Script.BATCHED, "a:0 b:0 c:0 d:0 e:0 f:0 g:0 h:0 i:90 j:0", "done"),
            new Kind("soon", Task.TYPE, "fail:50", "attempt 2"),
            new Kind("later", Task.TYPE, "fail:6000", "attempt 2"),
            new Kind("timers", Script.TYPE, "a:0 sleep:200 b:0 sleep:7000 c:0", "done"),
            new Kind("signals", "Tally", 0, "[3, 0]"),
            new Kind("transaction", Bank.TYPE, "7", "booked"),
            new Kind("saga", Trip.TYPE, "1", "undone"),
            new Kind("heartbeats", Task.TYPE, "count:20:10", "attempt 1"),
            new Kind("breath", Task.TYPE, "pause:200", "attempt 1"),
            new Kind("pause", Task.TYPE, "pause:6000", "attempt 1"),
            new Kind("children", Family.TYPE, "a:0+sleep:300+b:0", "done done"));

    private final Dormouse dormouse;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService starters = Executors.newFixedThreadPool(STARTERS);
    private final AtomicLong begun = new AtomicLong();
    private final AtomicLong ended = new AtomicLong();
    private final AtomicLong wrong = new AtomicLong();
    private volatile String problem = "-";

    private record Kind(String name, String type, Object input, String expected) {}

    Load(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    /** prefix per-second */
    String begin(String[] words) {
        long micros = 1_000_000 / Long.parseLong(words[1]);
        Future<?> unused = clock.scheduleAtFixedRate(() -> tick(words[0]), 0, micros, TimeUnit.MICROSECONDS);
        return "ok";
    }

    String end() {
        clock.shutdown();
        return "ok";
    }

    /** How many were started, how many have ended, how many of them not as they should, and one such. */
    String progress() {
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
