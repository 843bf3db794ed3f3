package dev.dormouse.sqlite;

import dev.dormouse.inspect.RunStatus;
import dev.dormouse.store.Store;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.NextState;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Measures starts, one-event commits, closes and claims per second at some batch sizes, on one thread. A program and
 * not a test, as nothing is asserted: arguments are a directory, and how many closed runs are in the file beforehand.
 */
final class Throughput {
    private static final long ROUND = TimeUnit.SECONDS.toNanos(4);
    private static final int STEPS = 10;

    private final Store store;
    private final Map<Kind, Long> nanos = new EnumMap<>(Kind.class);
    private final Map<Kind, Long> entries = new EnumMap<>(Kind.class);
    private int runs;

    private Throughput(Store store) {
        this.store = store;
    }

    private enum Kind {
        START,
        COMMIT,
        CLOSE,
        CLAIM
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0], "throughput.db");
        Files.deleteIfExists(file);
        try (Store store = Stores.open(file)) {
            int before = Integer.parseInt(arguments[1]);
            new Throughput(store).fill(before);
            System.out.printf("%,d closed runs in the file, %,d MB%n", before, Files.size(file) >> 20);
            System.out.printf("%8s %10s %10s %10s %10s%n", "batch", "starts/s", "commits/s", "closes/s", "claims/s");
            for (int round = 0; round < 2; round++) {
                for (int batch : new int[] {1, 32, 1_000}) {
                    System.out.println(new Throughput(store).measure(batch));
                }
            }
        }
    }

    private void fill(int count) {
        while (runs < count) {
            List<Start> starts = newStarts(1_000);
            store.start(0, starts);
            commit(Kind.CLOSE, starts, start -> closing(start, 1));
        }
    }

    private String measure(int batch) {
        long end = System.nanoTime() + ROUND;
        while (System.nanoTime() < end) {
            round(batch);
        }
        StringBuilder line = new StringBuilder(String.format("%8d", batch));
        for (Kind kind : Kind.values()) {
            double seconds = nanos.get(kind) / 1e9;
            line.append(String.format(" %,10.0f", entries.get(kind) / seconds));
        }
        return line.toString();
    }

    private void round(int batch) {
        List<Start> starts = newStarts(batch);
        long begin = System.nanoTime();
        check(store.start(0, starts).stream().allMatch(StartOutcome.Started.class::isInstance));
        count(Kind.START, begin, batch);
        for (int i = 0; i < STEPS; i++) {
            int step = i;
            commit(Kind.COMMIT, starts, start -> Sample.step(start, step));
        }
        commit(Kind.CLOSE, starts, start -> closing(start, 1 + STEPS));
        claim(batch);
    }

    private void claim(int batch) {
        List<Start> starts = new ArrayList<>();
        for (int i = 0; i < batch; i++) {
            starts.add(Sample.pending("claimed-" + Sample.newId()));
        }
        store.start(0, starts);
        long begin = System.nanoTime();
        List<RunRow> claimed = store.claim(0, Sample.claim(batch)).runs().stream()
                .map(run -> run.row())
                .toList();
        count(Kind.CLAIM, begin, batch);
        check(claimed.size() == batch);
        store.commit(0, claimed.stream().map(Sample::close).toList());
    }

    private void commit(Kind kind, List<Start> starts, Function<Start, Commit> how) {
        List<Commit> commits = starts.stream().map(how).toList();
        long begin = System.nanoTime();
        check(store.commit(0, commits).stream().allMatch(CommitOutcome.Committed.class::isInstance));
        count(kind, begin, commits.size());
    }

    private static Commit closing(Start start, int nextSeq) {
        Commit step = Sample.step(start, nextSeq - 1);
        NextState closed = NextState.closed(RunStatus.COMPLETED);
        return new Commit(step.runId(), step.fence(), step.append(), 0, closed, List.of());
    }

    private List<Start> newStarts(int batch) {
        runs += batch;
        return Sample.leased("wf-" + Sample.newId() + "-", batch);
    }

    private void count(Kind kind, long begin, int batch) {
        nanos.merge(kind, System.nanoTime() - begin, Long::sum);
        entries.merge(kind, (long) batch, Long::sum);
    }

    private static void check(boolean isFine) {
        if (!isFine) {
            throw new IllegalStateException("Expected every entry to go through, but one did not.");
        }
    }
}
