package dev.dormouse.benchmarks.load;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The first firing times of timers with known due times. Thread-safe. */
public final class TimerFirings {
    private final List<Instant> due;
    private final AtomicReferenceArray<@Nullable Instant> fired;
    private final CountDownLatch left;

    public TimerFirings(List<Instant> due) {
        this.due = due;
        this.fired = new AtomicReferenceArray<>(due.size());
        this.left = new CountDownLatch(due.size());
    }

    public void fired(int number) {
        if (fired.compareAndSet(number, null, Instant.now())) {
            left.countDown();
        }
    }

    public void await(Duration atMost) throws InterruptedException {
        if (!left.await(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("Expected " + due.size() + " firings within " + atMost.toSeconds()
                    + " s, but " + left.getCount() + " are missing.");
        }
    }

    /** Returns the delay of each firing in milliseconds; negative if it was early. */
    public List<Double> lateness() {
        List<Double> millis = new ArrayList<>();
        for (int i = 0; i < due.size(); i++) {
            millis.add(Duration.between(due.get(i), at(i)).toNanos() / 1e6);
        }
        return millis;
    }

    public long early() {
        return lateness().stream().filter(millis -> millis < 0).count();
    }

    public Instant first() {
        return all().min(Comparator.naturalOrder()).orElseThrow();
    }

    public Instant last() {
        return all().max(Comparator.naturalOrder()).orElseThrow();
    }

    private Stream<Instant> all() {
        return IntStream.range(0, due.size()).mapToObj(this::at);
    }

    private Instant at(int number) {
        Instant instant = fired.get(number);
        if (instant == null) {
            throw new IllegalStateException("Expected timer " + number + " to have fired, but it has not.");
        }
        return instant;
    }
}
