package dev.dormouse.engine;

import dev.dormouse.alarm.AlarmClock;
import dev.dormouse.store.Claim;
import dev.dormouse.store.Claimed;
import dev.dormouse.store.StoreException;
import dev.dormouse.store.Sweep;
import dev.dormouse.store.Swept;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's alarm clock at work: waits until exactly the next instant at which something is due, claims what is due as
 * far as there is room, and sweeps now and then as a safety net.
 *
 * <p>Any thread may {@link #arm} it; all else belongs to its own thread. An alarm that is armed while a claim is on its
 * way is seen in the next turn: the gate stays open for it.
 */
final class AlarmLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(AlarmLoop.class);
    private static final int CLAIMED_AT_ONCE = 200;
    private static final int READ_AHEAD = 500;
    private static final Duration FLOOR_MARGIN = Duration.ofSeconds(1);
    private static final Duration FIRST_BACK_OFF = Duration.ofMillis(50);
    private static final Duration LAST_BACK_OFF = Duration.ofSeconds(1);

    private final Engine engine;
    private final AlarmClock alarms = new AlarmClock(2 * READ_AHEAD);
    private final Gate gate;
    private final List<String> lanes;
    private final Instant[] floors;
    private final String[] epochs;
    private final Runnable onOutbox;
    private long lastSweep;
    private boolean backlog;
    private volatile boolean sweepNow = true;
    private volatile boolean hungry;
    private volatile boolean closed;

    AlarmLoop(Engine engine, Runnable onOutbox) {
        this.engine = engine;
        this.onOutbox = onOutbox;
        this.gate = engine.threads().newGate();
        this.lanes = Lanes.all(engine.code().keySet());
        this.floors = new Instant[engine.store().shards()];
        this.epochs = new String[floors.length];
        java.util.Arrays.fill(floors, Instant.EPOCH);
        java.util.Arrays.fill(epochs, "");
        engine.table().onRoom(this::room);
    }

    /** A first look, before the node does anything else: so it knows the store's time. */
    void open() {
        for (int shard = 0; shard < floors.length; shard++) {
            sweep(shard);
            engine.store().knock(shard, lanes, engine.build());
        }
    }

    /** Makes the node act at this instant at the latest. */
    void arm(Instant alarm) {
        if (alarms.arm(alarm)) {
            gate.open();
        }
    }

    /** Something may have been missed: look now. */
    void sweepNow() {
        sweepNow = true;
        gate.open();
    }

    void close() {
        closed = true;
        gate.open();
    }

    private void room() {
        if (hungry) {
            hungry = false;
            gate.open();
        }
    }

    @Override
    public void run() {
        Duration backOff = FIRST_BACK_OFF;
        while (!closed) {
            try {
                turn();
                gate.pass(untilNext());
                backOff = FIRST_BACK_OFF;
            } catch (StoreException noAnswer) {
                LOG.debug("The store does not answer; trying again in {}", backOff, noAnswer);
                engine.stalled();
                sweepNow = true;
                gate.pass(backOff);
                backOff = backOff.compareTo(LAST_BACK_OFF) < 0 ? backOff.multipliedBy(2) : LAST_BACK_OFF;
            }
        }
    }

    private void turn() {
        if (mustSweep()) {
            sweepNow = false;
            lastSweep = engine.threads().nanoTime();
            for (int shard = 0; shard < floors.length; shard++) {
                sweep(shard);
            }
        }
        if (alarms.expire(engine.clock().earliest()) | backlog) {
            backlog = false;
            for (int shard = 0; shard < floors.length && !closed; shard++) {
                claim(shard);
            }
        }
    }

    private boolean mustSweep() {
        return sweepNow
                || engine.threads().nanoTime() - lastSweep
                        >= engine.settings().sweepInterval().toNanos()
                || !backlog && alarms.mustReadAhead(engine.clock().earliest());
    }

    private Duration untilNext() {
        if (sweepNow || backlog && !hungry) {
            return Duration.ZERO;
        }
        long sinceSweep = engine.threads().nanoTime() - lastSweep;
        Duration untilSweep = engine.settings().sweepInterval().minusNanos(sinceSweep);
        Duration untilAlarm = hungry ? untilSweep : engine.clock().until(alarms.next());
        return untilAlarm.compareTo(untilSweep) < 0 ? untilAlarm : untilSweep;
    }

    private void sweep(int shard) {
        long sent = engine.threads().nanoTime();
        Swept swept = engine.store().sweep(shard, new Sweep(engine.nodeId(), engine.build(), lanes, READ_AHEAD));
        engine.observe(swept.now(), sent);
        watchEpoch(shard, swept);
        alarms.readAhead(swept.alarms(), swept.alarms().size() < READ_AHEAD);
        if (!swept.alarms().isEmpty() && !swept.alarms().get(0).isAfter(swept.now())) {
            floors[shard] = Instant.EPOCH;
        }
        if (swept.outbox()) {
            onOutbox.run();
        }
    }

    /** A store that lost commits it had confirmed is not what the runs in memory rest on. */
    private void watchEpoch(int shard, Swept swept) {
        boolean first = epochs[shard].isEmpty();
        if (!first && !epochs[shard].equals(swept.epoch())) {
            LOG.warn("The store has changed from {} to {}: all runs are read anew", epochs[shard], swept.epoch());
            engine.stalled();
            engine.table().all(run -> true).forEach(RunExecution::stop);
        } else if (first && !engine.store().isExclusive() && isJustUp(swept)) {
            engine.stalled();
        }
        epochs[shard] = swept.epoch();
    }

    private boolean isJustUp(Swept swept) {
        return swept.upSince().plus(engine.settings().leasePeriod()).isAfter(swept.now());
    }

    private void claim(int shard) {
        boolean more = !lanes.isEmpty();
        while (more && !closed) {
            hungry = true; // before looking for room, so that room made from now on is noticed
            int room = engine.table().reserve(CLAIMED_AT_ONCE);
            if (room == 0) {
                backlog = true;
                return;
            }
            hungry = false;
            more = claim(shard, room);
        }
    }

    private boolean claim(int shard, int room) {
        boolean takeOver = engine.store().isExclusive() || engine.guard().mayTakeOver();
        Claimed claimed = null;
        try {
            long sent = engine.threads().nanoTime();
            claimed = engine.store().claim(shard, claimRequest(room, takeOver, floors[shard]));
            engine.observe(claimed.now(), sent);
        } finally {
            engine.table()
                    .release(claimed == null ? room : room - claimed.runs().size());
        }
        claimed.runs().forEach(this::begin);
        raiseFloor(shard, claimed, takeOver);
        return claimed.more();
    }

    private Claim claimRequest(int room, boolean takeOver, Instant floor) {
        return new Claim(
                lanes,
                room,
                engine.ids().lease(),
                engine.settings().leasePeriod(),
                engine.nodeId(),
                engine.build(),
                engine.nodeTimeout(),
                takeOver,
                floor);
    }

    /** Below what a claim has been through nothing is left, but for what others had locked: that is for the sweep. */
    private void raiseFloor(int shard, Claimed claimed, boolean takeOver) {
        if (!takeOver) {
            floors[shard] = Instant.EPOCH;
            arm(engine.clock().latest().plus(engine.guard().renewPeriod()));
        } else if (!claimed.more()) {
            floors[shard] = claimed.now().minus(FLOOR_MARGIN);
        } else if (!claimed.runs().isEmpty()) {
            floors[shard] =
                    claimed.runs().get(claimed.runs().size() - 1).alarm().minus(FLOOR_MARGIN);
        }
    }

    private void begin(Claimed.Run claimed) {
        RunCode code = engine.code().get(claimed.row().type());
        if (code == null) {
            throw new IllegalStateException(
                    "Claimed a run of unknown type " + claimed.row().type());
        }
        RunExecution run = new RunExecution(engine, code, claimed);
        run.startAfter(engine.table().put(run));
    }
}
