package dev.dormouse.postgres;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.Append;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures the throughput of the store alone: writers start batches of runs, commit a number of steps for each, and
 * close them. Prints one line per round. Arguments: writers, batch size, steps, rounds, seconds per round.
 */
final class Throughput {
    private static final AtomicLong IDS = new AtomicLong(0x0190_0000_0000_0000L);
    private static final byte[] PAYLOAD = new byte[100];

    private final Store store;
    private final int batch;
    private final int steps;
    private final AtomicLong runs = new AtomicLong();
    private final AtomicLong statements = new AtomicLong();

    private Throughput(Store store, int batch, int steps) {
        this.store = store;
        this.batch = batch;
        this.steps = steps;
    }

    public static void main(String[] args) throws InterruptedException {
        int writers = argument(args, 0, 2);
        int batch = argument(args, 1, 1000);
        int steps = argument(args, 2, 1);
        int rounds = argument(args, 3, 5);
        int seconds = argument(args, 4, 5);
        try (Store store = TestPostgres.open(TestPostgres.newSchema())) {
            for (int round = 0; round < rounds; round++) {
                new Throughput(store, batch, steps).round(writers, seconds);
            }
        }
    }

    private static int argument(String[] args, int index, int otherwise) {
        return args.length > index ? Integer.parseInt(args[index]) : otherwise;
    }

    private void round(int writers, int seconds) throws InterruptedException {
        long begin = System.nanoTime();
        long end = begin + Duration.ofSeconds(seconds).toNanos();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            Thread thread = new Thread(() -> write(end));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        double took = (System.nanoTime() - begin) / 1e9;
        System.out.printf(
                "%d writers, batches of %d, %d steps: %.0f runs/s, %.0f writes/s, %.0f commits/s, %.2f ms a batch%n",
                writers,
                batch,
                steps,
                runs.get() / took,
                runs.get() * (steps + 1) / took,
                statements.get() / took,
                took * 1000 * writers / statements.get());
    }

    private void write(long end) {
        while (System.nanoTime() < end) {
            List<Start> starts = new ArrayList<>();
            for (int i = 0; i < batch; i++) {
                starts.add(start());
            }
            check(store.start(0, starts), StartOutcome.Started.class);
            for (int step = 1; step <= steps; step++) {
                List<Commit> commits = new ArrayList<>();
                for (Start start : starts) {
                    commits.add(commit(start, step));
                }
                check(store.commit(0, commits), CommitOutcome.Committed.class);
            }
            runs.addAndGet(batch);
        }
    }

    private void check(List<?> outcomes, Class<?> expected) {
        statements.incrementAndGet();
        if (!outcomes.stream().allMatch(expected::isInstance)) {
            throw new IllegalStateException("Expected " + expected + " only, but got "
                    + outcomes.stream().distinct().toList());
        }
    }

    private static Start start() {
        UUID runId = new UUID(IDS.incrementAndGet(), ThreadLocalRandom.current().nextLong());
        NextState running = NextState.running(7, Duration.ofSeconds(15));
        return new Start(
                "order-" + runId, runId, "Order", "Order", "node", running, new Append(1, PAYLOAD, 1), Set.of());
    }

    private Commit commit(Start start, int step) {
        NextState next = step == steps ? NextState.closed(RunStatus.COMPLETED) : NextState.running(7);
        return new Commit(start.runId(), Fence.of(7, step), new Append(1, PAYLOAD, step), 0, next, List.of());
    }
}
