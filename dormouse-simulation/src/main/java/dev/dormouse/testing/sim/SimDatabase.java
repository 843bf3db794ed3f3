package dev.dormouse.testing.sim;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.testing.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The database server that all nodes of a world share. */
public final class SimDatabase {
    private final SimWorld world;
    private final MemoryStore store;
    private final List<FaultyStore> connections = new ArrayList<>();
    private int incarnation;
    private int outages;

    public SimDatabase(SimWorld world, MemoryStore store) {
        this.world = world;
        this.store = store;
    }

    /** Returns the store behind all connections. */
    public MemoryStore store() {
        return store;
    }

    public FaultyStore connect(SimNode node, FaultProfile profile) {
        FaultyStore connection = new FaultyStore(world, this, node, profile);
        connections.add(connection);
        node.onKilled(() -> connections.remove(connection));
        return connection;
    }

    /**
     * Replaces the server with a standby that misses the latest {@code lostTransactions} commits. Requests in flight
     * are lost.
     */
    public void failOver(int lostTransactions) {
        incarnation++;
        int lost = store.failOver(lostTransactions);
        world.note("store", "failover, lost " + lost);
        List.copyOf(connections).forEach(FaultyStore::gap);
    }

    /** Makes the server unreachable for {@code time}. */
    public void goAwayFor(Duration time) {
        world.note("store", "away for " + time);
        outages++;
        world.after(time, () -> {
            outages--;
            world.note("store", "back");
            List.copyOf(connections).forEach(FaultyStore::gap);
        });
    }

    int incarnation() {
        return incarnation;
    }

    /** Throws unless the server that a request was sent to is reachable. */
    void checkReachable(int sentTo) {
        if (outages > 0 || sentTo != incarnation) {
            throw brokenConnection();
        }
    }

    static StoreException brokenConnection() {
        return new StoreException(
                ErrorCode.STORE_UNAVAILABLE, "Expected an answer from the store, but the connection broke.", null);
    }

    void tell(FaultyStore sender, Notice notice) {
        for (FaultyStore connection : List.copyOf(connections)) {
            if (connection != sender || world.random().nextBoolean()) {
                connection.overhear(notice);
            }
        }
    }

    void forget(FaultyStore connection) {
        connections.remove(connection);
    }
}
