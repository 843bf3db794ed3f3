package dev.dormouse.internal.engine.command;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.ServedCode;
import dev.dormouse.internal.run.Lanes;
import dev.dormouse.store.base.NodeRow;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.page.OverdueLane;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A detector of due runs that no living node executes. It logs each such lane once.
 *
 * <p>It looks once a minute, and some seconds after this node has first started a run in a lane that it does not
 * serve. A look is one statement per shard, which reads one alarm in each lane. Nodes are read only if a lane is
 * overdue that this node does not serve. The living node with the lowest id logs, and so does the node that started
 * such a run, at most a few lanes a minute.
 *
 * <p><b>Best effort.</b> A look that fails is repeated a minute later. Thread-safe; one look runs at a time.
 */
public final class UnservedLanes {
    private static final Logger LOG = LoggerFactory.getLogger(UnservedLanes.class);

    /** The time for which a passed alarm is not reported, because a busy node may still claim the run. */
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration PERIOD = Duration.ofMinutes(1);
    private static final Duration FIRST_LOOK = PATIENCE.plusSeconds(1);
    private static final int MOST_STARTED = 1_000;
    private static final int MOST_LINES = 8;

    private final NodeContext context;
    private final ServedCode served;
    private final Predicate<String> servesQueueLane;
    private final Set<String> started = ConcurrentHashMap.newKeySet();
    private final Map<String, Long> firstLooks = new ConcurrentHashMap<>();
    private final Set<String> logged = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean isLooking = new AtomicBoolean();
    private volatile long nextLook;

    /** The number of lines logged in the current minute; confined to the look. */
    private int lines;

    private long linesSince;

    public UnservedLanes(NodeContext context, ServedCode served, Predicate<String> servesQueueLane) {
        this.context = context;
        this.served = served;
        this.servesQueueLane = servesQueueLane;
        this.nextLook = context.threads().nanoTime() + PATIENCE.toNanos();
    }

    /** Notes that a run was started on this node in a lane that it does not serve. */
    void started(String lane) {
        if (!started.contains(lane) && started.size() < MOST_STARTED) {
            firstLooks.put(lane, context.threads().nanoTime() + FIRST_LOOK.toNanos());
            started.add(lane);
        }
    }

    /** Starts a look on a thread of its own if one is due. */
    public void afterSweep() {
        long now = context.threads().nanoTime();
        if ((now - nextLook >= 0 || firstLooks.values().stream().anyMatch(look -> now - look >= 0))
                && isLooking.compareAndSet(false, true)) {
            nextLook = now + PERIOD.toNanos();
            firstLooks.values().removeIf(look -> now - look >= 0);
            startLook();
        }
    }

    private void startLook() {
        try {
            context.threads().startCode("unserved", this::look);
        } catch (RejectedExecutionException noThread) {
            isLooking.set(false); // the next look is in a minute
        }
    }

    private void look() {
        try {
            Set<String> found = new HashSet<>();
            for (int shard = 0; shard < context.store().shards(); shard++) {
                look(shard, found);
            }
            logged.retainAll(found);
        } catch (StoreException noAnswer) {
            LOG.debug("Failed to look for runs that no node executes; trying again in a minute", noAnswer);
        } catch (RuntimeException problem) {
            LOG.warn("Failed to look for runs that no node executes; trying again in a minute", problem);
        } finally {
            isLooking.set(false);
        }
    }

    private void look(int shard, Set<String> found) {
        Instant now = context.clock().earliest();
        List<OverdueLane> overdueElsewhere = overdueElsewhere(shard, now);
        if (overdueElsewhere.isEmpty()) {
            return;
        }
        List<NodeRow> living = living(shard, now);
        boolean isFirst = living.stream()
                .map(NodeRow::nodeId)
                .min(Comparator.naturalOrder())
                .map(context.nodeId()::equals)
                .orElse(true);
        for (OverdueLane overdue : overdueElsewhere) {
            String lane = overdue.lane();
            if (living.stream().noneMatch(node -> Lanes.isServed(node.lanes(), lane))) {
                found.add(lane);
                if (isFirst || started.contains(lane)) {
                    log(overdue);
                }
            }
        }
    }

    /** Logs a lane. Lanes beyond the limit per minute are logged by a later look. */
    private void log(OverdueLane overdue) {
        long now = context.threads().nanoTime();
        if (lines == 0 || now - linesSince >= PERIOD.toNanos()) {
            lines = 0;
            linesSince = now;
        }
        if (lines < MOST_LINES && logged.add(overdue.lane())) {
            lines++;
            LOG.warn(
                    "{}{}",
                    UnservedLane.of(overdue).text(),
                    lines == MOST_LINES ? " There may be more, which are logged later; the dashboard lists all." : "");
        }
    }

    /** Returns the overdue lanes that this node does not serve. */
    private List<OverdueLane> overdueElsewhere(int shard, Instant now) {
        List<OverdueLane> overdueElsewhere =
                new ArrayList<>(context.store().pages().overdueLanes(shard, now.minus(PATIENCE)));
        overdueElsewhere.removeIf(overdue -> servesHere(overdue.lane()));
        return overdueElsewhere;
    }

    private boolean servesHere(String lane) {
        return Lanes.queueOf(lane).isEmpty() ? served.lanes().contains(lane) : servesQueueLane.test(lane);
    }

    private List<NodeRow> living(int shard, Instant now) {
        Instant dead = now.minus(context.nodeTimeout());
        return context.store().nodes(shard).stream()
                .filter(node -> node.seenAt().isAfter(dead))
                .toList();
    }

    /** Returns true if a living node has the code of a workflow type. This node may be the one. */
    public boolean hasCode(int shard, String type) {
        String lane = Lanes.of(type);
        return served.lanes().contains(lane)
                || living(shard, context.clock().earliest()).stream()
                        .anyMatch(node -> node.lanes().contains(lane));
    }

    /** Returns all lanes with due runs that no living node executes. */
    public List<UnservedLane> all(int shard) {
        Instant now = context.clock().earliest();
        List<OverdueLane> overdueElsewhere = overdueElsewhere(shard, now);
        if (overdueElsewhere.isEmpty()) {
            return List.of();
        }
        List<NodeRow> living = living(shard, now);
        return overdueElsewhere.stream()
                .filter(overdue -> living.stream().noneMatch(node -> Lanes.isServed(node.lanes(), overdue.lane())))
                .map(UnservedLane::of)
                .toList();
    }

    /** Returns the lane of a due run, if no living node executes it. */
    public Optional<UnservedLane> of(RunRow run) {
        Instant now = context.clock().earliest();
        Instant due = run.wakeAt();
        if (due == null || !due.isBefore(now.minus(PATIENCE)) || servesHere(run.lane())) {
            return Optional.empty();
        }
        return living(run.shard(), now).stream().anyMatch(node -> Lanes.isServed(node.lanes(), run.lane()))
                ? Optional.empty()
                : Optional.of(UnservedLane.of(new OverdueLane(run.lane(), due, run.workflowId())));
    }
}
