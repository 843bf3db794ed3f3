package dev.dormouse.testing.sim;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What befalls the whole world now and then, at random moments: nodes are killed or stopped for a while, the database
 * goes away, fails over and loses its latest commits, or its clock is set. Whoever wants killed nodes to come back
 * starts new ones ({@link SimNode#onKilled}).
 */
public final class Weather {
    /** A kind of mishap. */
    public enum Mishap {
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
    private final List<Mishap> mishaps;
    private final Duration interval;
    private final Duration longest;
    private boolean isOver;

    /**
     * @param nodes the nodes that are alive
     * @param interval the average time between two mishaps
     * @param longest how long a pause or an outage lasts, and by how much a clock is set, at most
     */
    public Weather(
            SimWorld world,
            SimDatabase database,
            Supplier<List<SimNode>> nodes,
            Set<Mishap> mishaps,
            Duration interval,
            Duration longest) {
        this.world = world;
        this.database = database;
        this.nodes = nodes;
        this.mishaps = List.copyOf(EnumSet.copyOf(mishaps));
        this.interval = interval;
        this.longest = longest;
    }

    public void begin() {
        Duration wait = Fate.upTo(interval.multipliedBy(2), world.random());
        world.after(wait, () -> {
            if (!isOver) {
                strike();
                begin();
            }
        });
    }

    /** Nothing more happens; what has begun comes to its end. */
    public void clearUp() {
        isOver = true;
    }

    private void strike() {
        Random random = world.random();
        Duration length = Fate.upTo(longest, random);
        switch (mishaps.get(random.nextInt(mishaps.size()))) {
            case KILL -> pick().forEach(SimNode::kill);
            case PAUSE -> pick().forEach(node -> node.pauseFor(length));
            case OUTAGE -> database.goAwayFor(length);
            case FAILOVER -> database.failOver(random.nextInt(MOST_LOST_TRANSACTIONS + 1));
            case CLOCK_FORWARDS -> world.stepStoreClock(length);
            case CLOCK_BACK -> world.stepStoreClock(length.negated());
        }
    }

    /** One of the nodes, if there is any. */
    private List<SimNode> pick() {
        List<SimNode> alive = nodes.get();
        return alive.isEmpty() ? alive : List.of(alive.get(world.random().nextInt(alive.size())));
    }
}
