package dev.dormouse.internal.embedded;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.Count;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.inspect.Statistics;
import dev.dormouse.inspect.UpcomingOptions;
import dev.dormouse.internal.client.Descriptions;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.engine.observe.TallySlots;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.Shards;
import dev.dormouse.store.page.Lateness;
import dev.dormouse.store.page.PageStore;
import dev.dormouse.store.page.StatusCounts;
import dev.dormouse.store.page.Tally;
import dev.dormouse.store.page.TallyCounts;
import dev.dormouse.store.run.RunKind;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Cluster-wide statistics, read from the store shard by shard and added up. Thread-safe: it has no state of its own.
 */
final class NodeStatistics implements Statistics {
    private static final Set<RunKind> RUNS = Set.of(RunKind.WORKFLOW);

    private static final Duration LATELY = Duration.ofMinutes(15);
    private static final Duration GONE = Duration.ofHours(1);

    private final Node node;
    private final Store store;
    private final PageStore pages;
    private final NodeDue due;

    NodeStatistics(Node node, Store store) {
        this.node = node;
        this.store = store;
        this.pages = store.pages();
        this.due = new NodeDue(store, node.parkGrace());
    }

    // ---- past

    @Override
    public Overview overview(ZoneId zone) {
        Instant now = now();
        Instant midnight = now.atZone(required(zone, "a time zone"))
                .toLocalDate()
                .atStartOfDay(zone)
                .toInstant();
        TallyCounts today = sum(tallies(TallySlots.LONG, TallySlots.begin(midnight, TallySlots.LONG), now));
        TallyCounts lately = sum(tallies(TallySlots.SHORT, TallySlots.begin(now.minus(LATELY), TallySlots.SHORT), now));
        StatusCounts census = census();
        return new Overview(
                now,
                census.running().plus(census.parked()),
                census.waiting(),
                Count.exactly(today.completed()),
                census.failed(),
                census.stuck(),
                due.overdue(now),
                due.timers(now),
                Lateness.percentile(lately.lateness(), 0.99));
    }

    private StatusCounts census() {
        return shards().mapToObj(shard -> pages.census(shard, RUNS))
                .reduce((one, other) -> new StatusCounts(
                        one.running().plus(other.running()),
                        one.parked().plus(other.parked()),
                        one.waiting().plus(other.waiting()),
                        one.stuck().plus(other.stuck()),
                        one.failed().plus(other.failed())))
                .orElseThrow();
    }

    @Override
    public Throughput throughput(Duration span) {
        Duration length = slotLength(required(span, "a span"));
        Instant now = now();
        Instant first = TallySlots.begin(now.minus(span), length).plus(length);
        Map<Instant, TallyCounts> bySlot = new HashMap<>();
        tallies(length, first, now).forEach(tally -> bySlot.merge(tally.slot(), tally.counts(), TallyCounts::plus));
        List<Slot> slots = new ArrayList<>();
        for (Instant at = first; !at.isAfter(now); at = at.plus(length)) {
            slots.add(slot(at, bySlot.getOrDefault(at, TallyCounts.NONE)));
        }
        return new Throughput(now, span, length, slots);
    }

    private static Duration slotLength(Duration span) {
        if (span.compareTo(TallySlots.SHORT) < 0 || span.compareTo(TallySlots.KEEP_LONG) > 0) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a span of " + TallySlots.SHORT.toSeconds() + " seconds to "
                            + TallySlots.KEEP_LONG.toDays() + " days, but got " + span + ". Choose another span.");
        }
        return span.compareTo(TallySlots.KEEP_SHORT) <= 0 ? TallySlots.SHORT : TallySlots.LONG;
    }

    private static Slot slot(Instant at, TallyCounts counts) {
        return new Slot(
                at,
                counts.started(),
                counts.completed(),
                counts.failed(),
                counts.closed(),
                counts.steps(),
                counts.fired(),
                counts.takeovers(),
                Lateness.percentile(counts.lateness(), 0.5),
                Lateness.percentile(counts.lateness(), 0.99));
    }

    private List<Tally> tallies(Duration length, Instant from, Instant now) {
        return pages.tallies(TallySlots.SHARD, length, from, now.plus(length));
    }

    private static TallyCounts sum(List<Tally> tallies) {
        return tallies.stream().map(Tally::counts).reduce(TallyCounts.NONE, TallyCounts::plus);
    }

    // ---- future

    @Override
    public Upcoming upcoming(UpcomingOptions options) {
        return due.upcoming(now(), required(options, "options"));
    }

    @Override
    public Histogram histogram(Span span) {
        return due.histogram(now(), required(span, "a span"));
    }

    @Override
    public Map<String, Count> queueDepths() {
        Map<String, Count> depths = new TreeMap<>();
        Instant now = now();
        shards().forEach(shard ->
                pages.queueDepths(shard, now).forEach((queue, depth) -> depths.merge(queue, depth, Count::plus)));
        return depths;
    }

    @Override
    public List<Unserved> unserved() {
        return node.unserved().stream()
                .map(each -> new Unserved(each.type(), each.queue(), each.since(), each.workflowId(), each.text()))
                .toList();
    }

    // ---- runs

    @Override
    public Map<UUID, RunDescription> runs(Map<UUID, String> workflowIds) {
        Map<Integer, List<UUID>> byShard = new TreeMap<>();
        required(workflowIds, "workflow ids by run id")
                .forEach((runId, workflowId) -> byShard.computeIfAbsent(
                                Shards.of(workflowId, store.shards()), shard -> new ArrayList<>())
                        .add(runId));
        Map<UUID, RunDescription> found = new HashMap<>();
        byShard.forEach((shard, runIds) -> node.rows(shard, runIds)
                .forEach(row -> found.put(row.runId(), Descriptions.run(row, Map.of(), List.of()))));
        return found;
    }

    // ---- nodes

    @Override
    public List<NodeInfo> nodes() {
        Instant now = now();
        Instant dead = now.minus(node.timeout());
        Instant silent = now.minus(node.timeout().dividedBy(2));
        return store.nodes(TallySlots.SHARD).stream()
                .filter(row -> row.seenAt().isAfter(now.minus(GONE)))
                .map(row -> info(row, row.seenAt().isAfter(dead), !row.seenAt().isAfter(silent)))
                .sorted(Comparator.comparing(NodeInfo::startedAt).thenComparing(NodeInfo::id))
                .toList();
    }

    private static NodeInfo info(NodeRow row, boolean alive, boolean isLate) {
        return new NodeInfo(
                row.nodeId(),
                row.state().name(),
                row.build(),
                row.startedAt(),
                row.seenAt(),
                alive,
                alive && isLate,
                row.lanes().stream().filter(lane -> !lane.endsWith("@")).toList(),
                row.state().executing(),
                row.state().parked(),
                row.state().slots(),
                row.state().leasePeriod(),
                row.state().recovered());
    }

    private Instant now() {
        return node.now();
    }

    private IntStream shards() {
        return IntStream.range(0, store.shards());
    }
}
