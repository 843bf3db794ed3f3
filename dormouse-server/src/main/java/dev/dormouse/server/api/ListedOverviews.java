package dev.dormouse.server.api;

import dev.dormouse.Dormouse;
import dev.dormouse.ListOptions;
import dev.dormouse.RunDescription;
import dev.dormouse.engine.TimerTypes;
import dev.dormouse.server.view.HistogramView;
import dev.dormouse.server.view.NodeView;
import dev.dormouse.server.view.OverviewView;
import dev.dormouse.server.view.OverviewView.Count;
import dev.dormouse.server.view.PageView;
import dev.dormouse.server.view.ThroughputView;
import dev.dormouse.server.view.UpcomingView;
import dev.dormouse.store.RunStatus;
import dev.dormouse.store.WakeReason;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** A stand-in that looks at the newest thousand runs. */
final class ListedOverviews implements Overviews {
    private static final Set<WakeReason> TIMES =
            Set.of(WakeReason.START, WakeReason.TIMER, WakeReason.RETRY, WakeReason.TIMEOUT, WakeReason.PAUSE);
    private static final int BUCKETS = 60;

    private final Dormouse dormouse;

    ListedOverviews(Dormouse dormouse) {
        this.dormouse = dormouse;
    }

    private List<RunDescription> runs() {
        return dormouse.list(ListOptions.ALL.limit(1_000)).runs();
    }

    @Override
    public OverviewView overview() {
        List<RunDescription> runs = runs();
        Instant now = dormouse.now();
        Instant today = now.truncatedTo(ChronoUnit.DAYS);
        return new OverviewView(
                now,
                count(runs, run -> run.status() == RunStatus.RUNNING),
                count(runs, run -> run.status() == RunStatus.WAITING || run.status() == RunStatus.PARKED),
                count(
                        runs,
                        run -> run.status() == RunStatus.COMPLETED
                                && run.closedAt().filter(today::isBefore).isPresent()),
                count(runs, run -> run.status() == RunStatus.FAILED),
                count(runs, run -> run.status() == RunStatus.STUCK),
                count(runs, run -> isTime(run) && isOverdue(run, now)),
                Optional.empty());
    }

    private static Count count(List<RunDescription> runs, Predicate<RunDescription> which) {
        return new Count(runs.stream().filter(which).count(), runs.size() < 1_000);
    }

    private static boolean isTime(RunDescription run) {
        return !run.status().isClosed()
                && run.status() != RunStatus.RUNNING
                && run.wakeAt().isPresent()
                && TIMES.contains(run.wakeReason());
    }

    private static boolean isOverdue(RunDescription run, Instant now) {
        return run.wakeAt().filter(now::isAfter).isPresent();
    }

    @Override
    public ThroughputView throughput(Spans.Past span) {
        List<RunDescription> runs = runs();
        Instant now = dormouse.now();
        List<ThroughputView.Slot> slots = new ArrayList<>();
        for (Instant at = now.minus(span.length); at.isBefore(now); at = at.plus(span.slot)) {
            Instant from = at;
            Instant to = at.plus(span.slot);
            slots.add(new ThroughputView.Slot(
                    from,
                    count(runs, run -> isIn(run.startedAt(), from, to)).count(),
                    count(runs, run -> run.status() == RunStatus.COMPLETED
                                    && run.closedAt().filter(end -> isIn(end, from, to)).isPresent())
                            .count(),
                    count(runs, run -> run.status() == RunStatus.FAILED
                                    && run.closedAt().filter(end -> isIn(end, from, to)).isPresent())
                            .count(),
                    0,
                    0,
                    Optional.empty(),
                    Optional.empty()));
        }
        return new ThroughputView(now, span.text, span.slot.toSeconds(), slots);
    }

    private static boolean isIn(Instant at, Instant from, Instant to) {
        return !at.isBefore(from) && at.isBefore(to);
    }

    @Override
    public List<NodeView> nodes() {
        return List.of();
    }

    @Override
    public PageView<UpcomingView> upcoming(Optional<String> kind, int limit, Optional<String> page) {
        Instant now = dormouse.now();
        List<UpcomingView> items = runs().stream()
                .filter(ListedOverviews::isTime)
                .map(run -> upcoming(run, now))
                .filter(one -> kind.isEmpty() || kind.get().equals(one.kind()))
                .sorted(Comparator.comparing(UpcomingView::fireAt))
                .limit(limit)
                .toList();
        return new PageView<>(items, Optional.empty());
    }

    private static UpcomingView upcoming(RunDescription run, Instant now) {
        boolean isTimer = TimerTypes.isTimer(run.workflowId());
        boolean isSchedule = run.workflowId().startsWith("%");
        String kind = isTimer
                ? "timer"
                : isSchedule
                        ? "schedule"
                        : run.wakeReason() == WakeReason.TIMER
                                ? "sleep"
                                : run.wakeReason().name().toLowerCase(Locale.ROOT);
        return new UpcomingView(
                kind,
                isTimer || isSchedule ? run.workflowId().substring(1) : run.workflowId(),
                run.workflowId(),
                run.runId(),
                run.type(),
                isTimer ? TimerTypes.handler(run.type()) : run.type(),
                run.wakeAt().orElseThrow(),
                isOverdue(run, now));
    }

    @Override
    public HistogramView histogram(Spans.Ahead span) {
        Instant now = dormouse.now();
        List<RunDescription> due = runs().stream().filter(ListedOverviews::isTime).toList();
        Instant to = now.plus(
                switch (span) {
                    case HOUR -> Duration.ofHours(1);
                    case DAY -> Duration.ofDays(1);
                    case WEEK -> Duration.ofDays(7);
                    case ALL -> Duration.ofDays(365);
                });
        Duration width = Duration.between(now, to).dividedBy(BUCKETS);
        List<HistogramView.Bucket> buckets = new ArrayList<>();
        for (int i = 0; i < BUCKETS; i++) {
            Instant from = now.plus(width.multipliedBy(i));
            Instant end = from.plus(width);
            Count count = count(due, run -> isIn(run.wakeAt().orElseThrow(), from, end));
            buckets.add(new HistogramView.Bucket(from, end, count.count(), count.exact()));
        }
        return new HistogramView(
                now,
                span.name().toLowerCase(Locale.ROOT),
                now,
                to,
                count(due, run -> true),
                count(due, run -> isOverdue(run, now)),
                buckets);
    }
}
