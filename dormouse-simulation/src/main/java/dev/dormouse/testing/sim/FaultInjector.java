package dev.dormouse.testing.sim;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A source of faults in the whole world at random moments: nodes are killed or paused, the database becomes
 * unreachable, fails over and loses its latest commits, or its clock is moved. To replace killed nodes, start new ones
 * in {@link SimNode#onKilled}.
 */
public final class FaultInjector {
    /** A kind of fault. */
    public enum Fault {
        KILL,
        PAUSE,
        OUTAGE,
        FAILOVER,
        CLOCK_FORWARDS,
        CLOCK_BACK
    }

    private static final int MOST_LOST_TRANSACTIONS = 5;

    private final SimWorld world;
    private final SimDatabase database;
    private final Supplier<List<SimNode>> nodes;
    private final List<Fault> faults;
    private final Duration interval;
    private final Duration longest;
    private boolean isOver;

    /**
     * @param nodes the live nodes
     * @param interval the average time between two faults
     * @param longest the maximum duration of a pause or an outage, and the maximum step of a clock
     */
    public FaultInjector(
            SimWorld world,
            SimDatabase database,
            Supplier<List<SimNode>> nodes,
            Set<Fault> faults,
            Duration interval,
            Duration longest) {
        this.world = world;
        this.database = database;
        this.nodes = nodes;
        this.faults = List.copyOf(EnumSet.copyOf(faults));
        this.interval = interval;
        this.longest = longest;
    }

    public void begin() {
        Duration wait = CallOutcome.upTo(interval.multipliedBy(2), world.random());
        world.after(wait, () -> {
            if (!isOver) {
                inject();
                begin();
            }
        });
    }

    /** Injects no more faults. Pauses and outages in progress end on their own. */
    public void stop() {
        isOver = true;
    }

    private void inject() {
        Random random = world.random();
        Duration length = CallOutcome.upTo(longest, random);
        switch (faults.get(random.nextInt(faults.size()))) {
            case KILL -> pick().forEach(SimNode::kill);
            case PAUSE -> pick().forEach(node -> node.pauseFor(length));
            case OUTAGE -> database.goAwayFor(length);
            case FAILOVER -> database.failOver(random.nextInt(MOST_LOST_TRANSACTIONS + 1));
            case CLOCK_FORWARDS -> world.stepStoreClock(length);
            case CLOCK_BACK -> world.stepStoreClock(length.negated());
        }
    }

    /** Returns a random live node, if there is one. */
    private List<SimNode> pick() {
        List<SimNode> alive = nodes.get();
        return alive.isEmpty() ? alive : List.of(alive.get(world.random().nextInt(alive.size())));
    }
}
