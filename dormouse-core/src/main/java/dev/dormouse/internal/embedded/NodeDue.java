package dev.dormouse.internal.embedded;

import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.inspect.Statistics;
import dev.dormouse.inspect.Statistics.Due;
import dev.dormouse.inspect.Statistics.DueKind;
import dev.dormouse.inspect.Statistics.DueRun;
import dev.dormouse.inspect.UpcomingOptions;
import dev.dormouse.inspect.WakeReason;
import dev.dormouse.internal.run.TimerTypes;
import dev.dormouse.store.Store;
import dev.dormouse.store.page.DueCounts;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.page.PageStore;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.timer.SqlTimerStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The upcoming alarms of all shards, merged with the timers that were scheduled in SQL. */
final class NodeDue {
    /** The age up to which a passed alarm is not yet overdue, because a node is about to act on it. */
    private static final Duration MOMENT = Duration.ofSeconds(2);

    private static final int BUCKETS = 60;
    private static final int LONGEST_NAME = 200;

    private final int shards;
    private final Duration parkGrace;
    private final PageStore pages;
    private final SqlTimerStore sqlTimers;

    /** An upcoming alarm, and its position in the list. */
    private record Placed(DuePlace place, Due due) {}

    /**
     * Creates a view on the alarms of a store.
     *
     * @param parkGrace the time by which the alarm of a run that waits in memory is later than its deadline
     */
    NodeDue(Store store, Duration parkGrace) {
        this.parkGrace = parkGrace;
        this.shards = store.shards();
        this.pages = store.pages();
        this.sqlTimers = store.sqlTimers();
    }

    // ---- list

    Statistics.Upcoming upcoming(Instant now, UpcomingOptions options) {
        DuePlace after = options.page().map(DuePlace::parse).orElse(null);
        Set<RunKind> runKinds = runKinds(options.kinds());
        List<DuePage<Placed>> parts = new ArrayList<>();
        if (!runKinds.isEmpty()) {
            shards().mapToObj(shard -> pages.due(shard, runKinds, after, options.limit()))
                    .forEach(page -> parts.add(page.map(row -> placed(row, now))));
        }
        if (options.kinds().contains(DueKind.SQL)) {
            parts.add(sqlTimers.due(after, options.limit()).map(timer -> placed(timer, now)));
        }
        DuePage<Placed> page = DuePage.merge(parts, Placed::place, options.limit());
        return new Statistics.Upcoming(
                now,
                page.items().stream()
                        .map(Placed::due)
                        .filter(due -> options.kinds().contains(due.kind()))
                        .toList(),
                Optional.ofNullable(page.next()).map(DuePlace::toString));
    }

    /**
     * Returns the kinds of runs that may have alarms of these kinds. The store distinguishes kinds of runs, but not the
     * meaning of their alarms.
     */
    private static Set<RunKind> runKinds(Set<DueKind> kinds) {
        return kinds.stream()
                .filter(kind -> kind != DueKind.SQL)
                .map(kind -> switch (kind) {
                    case TIMER -> RunKind.TIMER;
                    case SCHEDULE -> RunKind.SCHEDULE;
                    default -> RunKind.WORKFLOW;
                })
                .collect(Collectors.toSet());
    }

    private Placed placed(RunRow row, Instant now) {
        DuePlace place = DuePlace.of(row);
        Instant at = row.wakeReason() == WakeReason.PARK ? place.at().minus(parkGrace) : place.at();
        RunKind kind = RunKind.of(row.type());
        return new Placed(
                place,
                new Due(
                        kindOf(kind, row),
                        kind == RunKind.WORKFLOW
                                ? row.workflowId()
                                : row.workflowId().substring(kind.mark().length()),
                        name(kind, row.type()),
                        at,
                        row.wakeReason() == WakeReason.BACKOFF || isOverdue(at, now),
                        Optional.of(new DueRun(row.workflowId(), row.runId(), row.type()))));
    }

    private static String name(RunKind kind, String type) {
        return kind == RunKind.TIMER
                ? TimerTypes.handler(type)
                : type.substring(kind.mark().length());
    }

    private static DueKind kindOf(RunKind kind, RunRow row) {
        if (kind == RunKind.TIMER) {
            return DueKind.TIMER;
        } else if (kind == RunKind.SCHEDULE) {
            return DueKind.SCHEDULE;
        }
        return switch (row.wakeReason()) {
            case RETRY, BACKOFF -> DueKind.RETRY;
            case TIMEOUT -> DueKind.TIMEOUT;
            case PAUSE -> DueKind.PAUSE;
            case START, RATE -> DueKind.START;
            default -> DueKind.SLEEP;
        };
    }

    private static Placed placed(SqlTimer timer, Instant now) {
        DuePlace place = SqlTimerStore.place(timer);
        String name = timer.handler().or(timer::action).orElse("");
        return new Placed(
                place,
                new Due(
                        DueKind.SQL,
                        timer.id().toString(),
                        name.substring(0, Math.min(LONGEST_NAME, name.length())),
                        place.at(),
                        isOverdue(place.at(), now),
                        Optional.empty()));
    }

    private static boolean isOverdue(Instant at, Instant now) {
        return at.isBefore(now.minus(MOMENT));
    }

    // ---- counts

    Count overdue(Instant now) {
        return counts(now, List.of()).overdue();
    }

    /** Counts the timers without a workflow and the timers that were scheduled in SQL, including overdue ones. */
    Count timers(Instant now) {
        Set<RunKind> kinds = Set.of(RunKind.TIMER);
        List<Instant> bounds = bounds(now, last(now, kinds));
        Instant before = now.minus(MOMENT);
        DueCounts counts = shards().mapToObj(shard -> pages.dueCounts(shard, kinds, before, bounds))
                .reduce(sqlTimers.dueCounts(before, bounds), DueCounts::plus);
        return counts.buckets().stream().reduce(counts.overdue(), Count::plus);
    }

    Statistics.Histogram histogram(Instant now, Statistics.Span span) {
        Instant to = end(span, now);
        List<Instant> bounds = bounds(now, to);
        DueCounts counts = counts(now, bounds);
        List<Statistics.Bucket> buckets = IntStream.range(0, BUCKETS)
                .mapToObj(i -> new Statistics.Bucket(
                        bounds.get(i), bounds.get(i + 1), counts.buckets().get(i)))
                .toList();
        Count total = counts.buckets().stream().reduce(Count.NONE, Count::plus);
        return new Statistics.Histogram(now, span, now, to, total, counts.overdue(), buckets);
    }

    private static List<Instant> bounds(Instant from, Instant to) {
        Duration width = Duration.between(from, to).dividedBy(BUCKETS);
        List<Instant> bounds = IntStream.range(0, BUCKETS)
                .mapToObj(i -> from.plus(width.multipliedBy(i)))
                .collect(Collectors.toCollection(ArrayList::new));
        bounds.add(to);
        return bounds;
    }

    private Instant end(Statistics.Span span, Instant now) {
        return switch (span) {
            case HOUR -> now.plus(Duration.ofHours(1));
            case DAY -> now.plus(Duration.ofDays(1));
            case WEEK -> now.plus(Duration.ofDays(7));
            case ALL -> last(now, RunKind.TIMED);
        };
    }

    /**
     * Returns an instant after the last alarm, at least an hour from now, so that the histogram always covers some
     * time.
     */
    private Instant last(Instant now, Set<RunKind> kinds) {
        Instant hour = now.plus(Duration.ofHours(1));
        return Stream.concat(shards().mapToObj(shard -> pages.lastDue(shard, kinds)), Stream.of(sqlTimers.lastDue()))
                .flatMap(Optional::stream)
                .map(at -> at.plusNanos(1_000))
                .filter(hour::isBefore)
                .max(Comparator.naturalOrder())
                .orElse(hour);
    }

    private DueCounts counts(Instant now, List<Instant> bounds) {
        Instant overdueBefore = now.minus(MOMENT);
        return shards().mapToObj(shard -> pages.dueCounts(shard, RunKind.TIMED, overdueBefore, bounds))
                .reduce(sqlTimers.dueCounts(overdueBefore, bounds), DueCounts::plus);
    }

    private IntStream shards() {
        return IntStream.range(0, shards);
    }
}
