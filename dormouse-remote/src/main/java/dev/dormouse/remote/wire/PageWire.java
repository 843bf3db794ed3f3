package dev.dormouse.remote.wire;

import static dev.dormouse.remote.wire.ValueWire.all;
import static dev.dormouse.remote.wire.ValueWire.readDuration;
import static dev.dormouse.remote.wire.ValueWire.readId;
import static dev.dormouse.remote.wire.ValueWire.readInstant;
import static dev.dormouse.remote.wire.ValueWire.text;

import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.SqlTimer;
import dev.dormouse.inspect.SqlTimerId;
import dev.dormouse.remote.v1.PageProto;
import dev.dormouse.store.page.DueCounts;
import dev.dormouse.store.page.DuePage;
import dev.dormouse.store.page.DuePlace;
import dev.dormouse.store.page.OverdueLane;
import dev.dormouse.store.page.RunFilter;
import dev.dormouse.store.page.RunPage;
import dev.dormouse.store.page.StatusCounts;
import dev.dormouse.store.page.Tally;
import dev.dormouse.store.page.TallyCounts;
import dev.dormouse.store.run.RunKind;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Conversion of pages, counts, tallies and SQL timers. */
public final class PageWire {
    private static final String KIND = "RUN_KIND_";
    private static final String STATUS = "SQL_TIMER_STATUS_";

    private PageWire() {}

    public static List<PageProto.RunKind> write(Set<RunKind> kinds) {
        return kinds.stream()
                .sorted()
                .map(kind -> PageProto.RunKind.valueOf(KIND + kind.name()))
                .toList();
    }

    public static Set<RunKind> readKinds(Collection<PageProto.RunKind> kinds) {
        return kinds.stream()
                .map(kind -> ValueWire.constant(RunKind.class, KIND, kind))
                .collect(Collectors.toUnmodifiableSet());
    }

    public static PageProto.RunFilter write(RunFilter filter) {
        PageProto.RunFilter.Builder to = PageProto.RunFilter.newBuilder()
                .addAllStatusesValue(RunWire.codes(filter.statuses()))
                .setWorkflowsOnly(filter.workflowsOnly());
        if (filter.workflowIdPrefix() != null) {
            to.setWorkflowIdPrefix(text(filter.workflowIdPrefix()));
        }
        if (filter.type() != null) {
            to.setType(text(filter.type()));
        }
        return to.build();
    }

    public static RunFilter read(PageProto.RunFilter filter) {
        return new RunFilter(
                filter.hasWorkflowIdPrefix() ? filter.getWorkflowIdPrefix() : null,
                filter.hasType() ? filter.getType() : null,
                RunWire.statuses(filter.getStatusesValueList()),
                filter.getWorkflowsOnly());
    }

    public static PageProto.RunPage write(RunPage page) {
        PageProto.RunPage.Builder to = PageProto.RunPage.newBuilder().addAllRuns(all(page.runs(), RunWire::write));
        if (page.next() != null) {
            to.setNext(text(page.next()));
        }
        return to.build();
    }

    public static RunPage read(PageProto.RunPage page) {
        return new RunPage(all(page.getRunsList(), RunWire::read), page.hasNext() ? page.getNext() : null);
    }

    public static PageProto.DuePlace write(DuePlace place) {
        return PageProto.DuePlace.newBuilder()
                .setAt(ValueWire.write(place.at()))
                .setRunId(ValueWire.write(place.runId()))
                .build();
    }

    public static DuePlace read(PageProto.DuePlace place) {
        return new DuePlace(readInstant(place.getAt()), readId(place.getRunId()));
    }

    public static PageProto.DueRunPage writeRuns(DuePage<RunRow> page) {
        PageProto.DueRunPage.Builder to =
                PageProto.DueRunPage.newBuilder().addAllItems(all(page.items(), RunWire::write));
        if (page.next() != null) {
            to.setNext(write(page.next()));
        }
        return to.build();
    }

    public static DuePage<RunRow> read(PageProto.DueRunPage page) {
        return new DuePage<>(all(page.getItemsList(), RunWire::read), page.hasNext() ? read(page.getNext()) : null);
    }

    public static PageProto.DueSqlTimerPage writeTimers(DuePage<SqlTimer> page) {
        PageProto.DueSqlTimerPage.Builder to =
                PageProto.DueSqlTimerPage.newBuilder().addAllItems(all(page.items(), PageWire::write));
        if (page.next() != null) {
            to.setNext(write(page.next()));
        }
        return to.build();
    }

    public static DuePage<SqlTimer> read(PageProto.DueSqlTimerPage page) {
        return new DuePage<>(all(page.getItemsList(), PageWire::read), page.hasNext() ? read(page.getNext()) : null);
    }

    static PageProto.Count write(Count count) {
        return PageProto.Count.newBuilder()
                .setCount(count.count())
                .setExact(count.exact())
                .build();
    }

    static Count read(PageProto.Count count) {
        return new Count(count.getCount(), count.getExact());
    }

    public static PageProto.DueCounts write(DueCounts counts) {
        return PageProto.DueCounts.newBuilder()
                .setOverdue(write(counts.overdue()))
                .addAllBuckets(all(counts.buckets(), PageWire::write))
                .build();
    }

    public static DueCounts read(PageProto.DueCounts counts) {
        return new DueCounts(read(counts.getOverdue()), all(counts.getBucketsList(), PageWire::read));
    }

    public static List<PageProto.QueueDepth> write(Map<String, Count> depths) {
        return depths.entrySet().stream()
                .map(entry -> PageProto.QueueDepth.newBuilder()
                        .setQueue(text(entry.getKey()))
                        .setDepth(write(entry.getValue()))
                        .build())
                .toList();
    }

    public static Map<String, Count> readDepths(List<PageProto.QueueDepth> depths) {
        Map<String, Count> byQueue = new LinkedHashMap<>();
        depths.forEach(each -> byQueue.put(each.getQueue(), read(each.getDepth())));
        return byQueue;
    }

    public static PageProto.OverdueLane write(OverdueLane lane) {
        return PageProto.OverdueLane.newBuilder()
                .setLane(text(lane.lane()))
                .setSince(ValueWire.write(lane.since()))
                .setWorkflowId(text(lane.workflowId()))
                .build();
    }

    public static OverdueLane read(PageProto.OverdueLane lane) {
        return new OverdueLane(lane.getLane(), readInstant(lane.getSince()), lane.getWorkflowId());
    }

    public static PageProto.StatusCounts write(StatusCounts counts) {
        return PageProto.StatusCounts.newBuilder()
                .setRunning(write(counts.running()))
                .setParked(write(counts.parked()))
                .setWaiting(write(counts.waiting()))
                .setStuck(write(counts.stuck()))
                .setFailed(write(counts.failed()))
                .build();
    }

    public static StatusCounts read(PageProto.StatusCounts counts) {
        return new StatusCounts(
                read(counts.getRunning()),
                read(counts.getParked()),
                read(counts.getWaiting()),
                read(counts.getStuck()),
                read(counts.getFailed()));
    }

    public static PageProto.Tally write(Tally tally) {
        TallyCounts counts = tally.counts();
        return PageProto.Tally.newBuilder()
                .setNodeId(text(tally.nodeId()))
                .setSlot(ValueWire.write(tally.slot()))
                .setLength(ValueWire.write(tally.length()))
                .setStarted(counts.started())
                .setCompleted(counts.completed())
                .setFailed(counts.failed())
                .setClosed(counts.closed())
                .setSteps(counts.steps())
                .setFired(counts.fired())
                .setTakeovers(counts.takeovers())
                .addAllLateness(counts.lateness())
                .build();
    }

    public static Tally read(PageProto.Tally tally) {
        return new Tally(
                tally.getNodeId(),
                readInstant(tally.getSlot()),
                readDuration(tally.getLength()),
                new TallyCounts(
                        tally.getStarted(),
                        tally.getCompleted(),
                        tally.getFailed(),
                        tally.getClosed(),
                        tally.getSteps(),
                        tally.getFired(),
                        tally.getTakeovers(),
                        tally.getLatenessList()));
    }

    public static PageProto.SqlTimerId write(SqlTimerId id) {
        return PageProto.SqlTimerId.newBuilder()
                .setShardKey(id.shardKey())
                .setId(id.id())
                .build();
    }

    public static SqlTimerId read(PageProto.SqlTimerId id) {
        return new SqlTimerId(id.getShardKey(), id.getId());
    }

    public static PageProto.SqlTimer write(SqlTimer timer) {
        PageProto.SqlTimer.Builder to = PageProto.SqlTimer.newBuilder()
                .setId(write(timer.id()))
                .setStatus(
                        PageProto.SqlTimerStatus.valueOf(STATUS + timer.status().name()))
                .setScheduledBy(text(timer.scheduledBy()))
                .setCreatedAt(ValueWire.write(timer.createdAt()))
                .setTimeout(ValueWire.write(timer.timeout()))
                .setAttempts(timer.attempts());
        timer.fireAt().ifPresent(at -> to.setFireAt(ValueWire.write(at)));
        timer.action().ifPresent(action -> to.setAction(text(action)));
        timer.handler().ifPresent(handler -> to.setHandler(text(handler)));
        timer.payload().ifPresent(payload -> to.setPayload(text(payload)));
        timer.firedAt().ifPresent(at -> to.setFiredAt(ValueWire.write(at)));
        timer.error().ifPresent(error -> to.setError(text(error)));
        timer.sqlState().ifPresent(state -> to.setSqlState(text(state)));
        return to.build();
    }

    public static SqlTimer read(PageProto.SqlTimer timer) {
        return new SqlTimer(
                read(timer.getId()),
                ValueWire.constant(SqlTimer.Status.class, STATUS, timer.getStatus()),
                instant(timer.hasFireAt(), timer.getFireAt()),
                timer.getScheduledBy(),
                optional(timer.hasAction(), timer.getAction()),
                optional(timer.hasHandler(), timer.getHandler()),
                optional(timer.hasPayload(), timer.getPayload()),
                readInstant(timer.getCreatedAt()),
                instant(timer.hasFiredAt(), timer.getFiredAt()),
                readDuration(timer.getTimeout()),
                timer.getAttempts(),
                optional(timer.hasError(), timer.getError()),
                optional(timer.hasSqlState(), timer.getSqlState()));
    }

    private static Optional<Instant> instant(boolean isPresent, long micros) {
        return isPresent ? Optional.of(readInstant(micros)) : Optional.empty();
    }

    private static Optional<String> optional(boolean isPresent, String text) {
        return isPresent ? Optional.of(text) : Optional.empty();
    }
}
