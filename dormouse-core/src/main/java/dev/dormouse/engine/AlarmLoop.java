package dev.dormouse.engine;

import dev.dormouse.alarm.AlarmClock;
import dev.dormouse.store.Claim;
import dev.dormouse.store.Claimed;
import dev.dormouse.store.Fence;
import dev.dormouse.store.StoreException;
import dev.dormouse.store.Sweep;
import dev.dormouse.store.Swept;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
    private static final int FIRST_LOOKS = 5;
    private static final Duration GOOD_WIDTH = Duration.ofMillis(1);
    private static final Duration FLOOR_MARGIN = Duration.ofSeconds(1);

    private final Engine engine;
    private final AlarmClock alarms = new AlarmClock(2 * READ_AHEAD);
    private final Gate gate;
    private final Instant[] floors;
    private final Runnable onOutbox;
    private long lastSweep;
    private Instant storeNow = Instant.MAX;
    private boolean due;
    private volatile boolean sweepNow = true;
    private volatile boolean wantsRoom;
    private volatile boolean mustKnock;
    private volatile @Nullable Runnable afterSweep;
    private volatile boolean closed;

    AlarmLoop(Engine engine, Runnable onOutbox) {
        this.engine = engine;
        this.onOutbox = onOutbox;
        this.gate = engine.threads().newGate();
        this.floors = new Instant[engine.store().shards()];
        Arrays.fill(floors, Instant.EPOCH);
        engine.table().onRoom(this::room);
    }

    private List<String> allLanes() {
        return Stream.concat(engine.lanes().stream(), engine.queues().lanes().stream())
                .toList();
    }

    /** Has this run after sweeps, on a thread of its own. */
    void onSweep(Runnable task) {
        afterSweep = task;
    }

    /** There are new lanes, whose runs may have been refused by all others. */
    void served() {
        mustKnock = true;
        sweepNow();
    }

    private void knock() {
        mustKnock = false;
        try {
            for (int shard = 0; shard < floors.length; shard++) {
                engine.store().knock(shard, allLanes(), engine.build());
            }
        } catch (RuntimeException notDone) {
            mustKnock = true;
            throw notDone;
        }
    }

    /** A first look, before the node does anything else: so it knows the store's time, and knows it well. */
    void open() {
        sweepAll();
        boolean setBack = false;
        for (int shard = 0; shard < floors.length; shard++) {
            engine.store().knock(shard, allLanes(), engine.build());
            setBack |= wasSetBack(shard);
        }
        if (setBack) {
            shortenLeases();
        }
        for (int i = 0; i < FIRST_LOOKS && engine.clock().width().compareTo(GOOD_WIDTH) > 0; i++) {
            sweepAll();
        }
    }

    /** Whether a node was seen at a time that is still to come. */
    private boolean wasSetBack(int shard) {
        Instant soon = engine.clock().latest().plus(engine.settings().leasePeriod());
        return !engine.store().isExclusive()
                && engine.store().nodes(shard).stream()
                        .anyMatch(node -> node.seenAt().isAfter(soon));
    }

    /** Makes the node act at this instant at the latest. */
    void arm(Instant alarm) {
        if (alarms.arm(alarm)) {
            gate.open();
        }
    }

    /** Another node has set an alarm that it cannot act on. */
    void hear(Instant alarm) {
        if (alarms.hear(alarm)) {
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
        if (wantsRoom) {
            wantsRoom = false;
            gate.open();
        }
    }

    @Override
    public void run() {
        BackOff backOff = new BackOff();
        while (!closed) {
            try {
                turn();
                gate.pass(untilNext());
                backOff.reset();
            } catch (StoreException noAnswer) {
                engine.stalled(noAnswer);
                sweepNow = true;
                gate.pass(backOff.next());
            } catch (RuntimeException | LinkageError | OutOfMemoryError problem) {
                LOG.error("Looking for due runs failed; trying again", problem);
                sweepNow = true;
                gate.pass(backOff.next());
            }
        }
    }

    private void turn() {
        if (engine.takeClockWasSet()) {
            try {
                shortenLeases();
            } catch (RuntimeException notDone) {
                engine.clockWasSet();
                throw notDone;
            }
        }
        if (mustKnock) {
            knock();
        }
        if (mustSweep()) {
            sweepNow = false;
            lastSweep = engine.threads().nanoTime();
            sweepAll();
            callAfterSweep();
            engine.unserved().afterSweep();
        }
        engine.paused().setAlarms();
        List<Instant> passed = alarms.expire(engine.clock().earliest());
        if (!passed.isEmpty()) {
            due = true;
            lowerFloors(passed.get(0));
        }
        if (due) {
            due = false;
            for (int shard = 0; shard < floors.length && !closed; shard++) {
                claimAll(shard);
            }
            rearm(passed);
        }
        if (due) {
            wantsRoom = true; // another shard may have found room meanwhile, and told nobody
            if (engine.table().hasRoomForClaim()) {
                gate.open();
            }
        }
    }

    /**
     * After the store's clock was set back, leases of the dead seem to last for ever. Those that nobody renews within a
     * lease period from here on can be taken over then.
     */
    private void shortenLeases() {
        EngineSettings settings = engine.settings();
        Duration parked = settings.parkAtMost().plus(settings.parkGrace());
        for (int shard = 0; shard < floors.length; shard++) {
            Duration lease = longestLease(shard);
            int shortened = engine.store().shortenLeases(shard, allLanes(), lease.plus(parked), lease);
            if (shortened > 0) {
                LOG.warn("The store's clock was set back: {} leases that seemed to last too long end soon", shortened);
                sweepNow = true;
            }
        }
    }

    /** The longest lease period of any node: another one may be set up with a longer one, and renews less often. */
    private Duration longestLease(int shard) {
        return engine.store().nodes(shard).stream()
                .map(node -> node.state().leasePeriod())
                .reduce(engine.settings().leasePeriod(), (one, other) -> one.compareTo(other) < 0 ? other : one);
    }

    /** A claim has heard the store's time: what this node took to have passed, and has not, is still to come. */
    private void rearm(List<Instant> passed) {
        Instant now = storeNow;
        passed.stream().filter(alarm -> alarm.isAfter(now)).forEach(alarms::arm);
    }

    private boolean mustSweep() {
        long sinceSweep = engine.threads().nanoTime() - lastSweep;
        return sweepNow
                || sinceSweep >= engine.settings().sweepInterval().toNanos()
                || alarms.mustReadAhead(engine.clock().earliest());
    }

    /** Until the next sweep or alarm; but what is due already waits for room, of which it is told. */
    private Duration untilNext() {
        if (sweepNow) {
            return Duration.ZERO;
        }
        long sinceSweep = engine.threads().nanoTime() - lastSweep;
        Duration untilSweep = engine.settings().sweepInterval().minusNanos(sinceSweep);
        Duration untilAlarm = due ? untilSweep : engine.clock().until(alarms.next());
        Duration untilPaused = engine.clock().until(engine.paused().next());
        Duration untilAny = untilAlarm.compareTo(untilPaused) < 0 ? untilAlarm : untilPaused;
        return untilAny.compareTo(untilSweep) < 0 ? untilAny : untilSweep;
    }

    // ---- sweeps

    private void callAfterSweep() {
        Runnable task = afterSweep;
        if (task != null) {
            engine.threads().startCode("after sweep", task);
        }
    }

    private void sweepAll() {
        alarms.beginReadAhead();
        Ahead plain = new Ahead();
        Ahead queued = new Ahead();
        boolean queueOverdue = false;
        for (int shard = 0; shard < floors.length; shard++) {
            Swept swept = sweep(shard);
            plain.add(swept.alarms());
            queued.add(swept.queueAlarms());
            queueOverdue |= swept.queueOverdue();
        }
        alarms.readAhead(plain.nearest, plain.readUpTo);
        engine.queues().readAhead(queued.nearest, queued.readUpTo.equals(Instant.MAX), queueOverdue);
    }

    /** What was read ahead of all shards, and how far. */
    private static final class Ahead {
        private final List<Instant> nearest = new ArrayList<>();
        private Instant readUpTo = Instant.MAX;

        void add(List<Instant> inShard) {
            nearest.addAll(inShard);
            if (inShard.size() == READ_AHEAD && inShard.get(READ_AHEAD - 1).isBefore(readUpTo)) {
                readUpTo = inShard.get(READ_AHEAD - 1);
            }
        }
    }

    private Swept sweep(int shard) {
        long sent = engine.threads().nanoTime();
        Swept swept = engine.store()
                .sweep(
                        shard,
                        new Sweep(
                                engine.nodeId(),
                                engine.build(),
                                engine.lanes(),
                                engine.queues().lanes(),
                                READ_AHEAD,
                                engine.state()));
        engine.observe(swept.now(), sent);
        watchEpoch(shard, swept);
        engine.recovery().resumeAll(shard);
        if (swept.overdue()) {
            due = true;
            floors[shard] = Instant.EPOCH;
        }
        if (swept.outbox()) {
            onOutbox.run();
        }
        return swept;
    }

    /** A store that lost commits it had confirmed is not what the runs in memory rest on. */
    private void watchEpoch(int shard, Swept swept) {
        String known = engine.epoch(shard);
        boolean first = known.equals(Fence.ANY_EPOCH);
        if (!first && !known.equals(swept.epoch())) {
            LOG.warn("The store has changed from {} to {}: all runs are read anew", known, swept.epoch());
            engine.guard().hold();
            stopAll(shard);
            engine.epoch(shard, swept.epoch());
            stopAll(shard); // those that came in between
        } else if (first && !engine.store().isExclusive() && isJustUp(swept)) {
            engine.guard().hold();
        }
        engine.epoch(shard, swept.epoch());
    }

    private void stopAll(int shard) {
        engine.table().all(run -> run.shard() == shard).forEach(RunExecution::reread);
    }

    private boolean isJustUp(Swept swept) {
        return swept.upSince().plus(engine.settings().leasePeriod()).isAfter(swept.now());
    }

    // ---- claims

    private void claimAll(int shard) {
        boolean more = !engine.lanes().isEmpty();
        while (more && !closed) {
            wantsRoom = true; // before looking for room, so that room made from now on is noticed
            int room = engine.table().reserveForClaim(CLAIMED_AT_ONCE);
            if (room == 0) {
                due = true;
                return;
            }
            wantsRoom = false;
            more = claim(shard, room);
        }
    }

    /** Claims and begins up to so many runs; tells whether it is worth asking again. */
    private boolean claim(int shard, int room) {
        boolean takeOver = engine.guard().mayTakeOver();
        int taken = 0;
        Claimed claimed;
        try {
            long sent = engine.threads().nanoTime();
            claimed = engine.store().claim(shard, claimRequest(room, takeOver, floor(shard)));
            taken = claimed.runs().size();
            storeNow = claimed.now();
            engine.observe(claimed.now(), sent);
        } finally {
            engine.table().release(room - taken);
        }
        engine.names().learn(shard, claimed.runs());
        claimed.runs().forEach(this::begin);
        moveFloor(shard, claimed, takeOver);
        return claimed.more() && taken > 0;
    }

    /** Only a database that many share keeps dead entries at the head of its index, for which floors are made. */
    private Instant floor(int shard) {
        return engine.store().isExclusive() ? Instant.EPOCH : floors[shard];
    }

    private Claim claimRequest(int room, boolean takeOver, Instant floor) {
        return new Claim(
                engine.lanes(),
                room,
                engine.ids().lease(),
                engine.settings().leasePeriod(),
                engine.nodeId(),
                engine.build(),
                engine.nodeTimeout(),
                takeOver ? engine.clock().latest() : Instant.EPOCH,
                floor);
    }

    /** Below what a claim has been through nothing is left, but for what others had locked: that is for the sweep. */
    private void moveFloor(int shard, Claimed claimed, boolean takeOver) {
        List<Claimed.Run> runs = claimed.runs();
        if (!takeOver) {
            floors[shard] = Instant.EPOCH;
            arm(engine.clock().latest().plus(engine.guard().askAgainIn()));
        } else if (!claimed.more()) {
            floors[shard] = claimed.now().minus(FLOOR_MARGIN);
        } else if (!runs.isEmpty()) {
            floors[shard] = runs.get(runs.size() - 1).alarm().minus(FLOOR_MARGIN);
        }
    }

    /** An alarm may become visible long after it was set: whoever was told of it looks below the floor. */
    private void lowerFloors(Instant passed) {
        for (int shard = 0; shard < floors.length; shard++) {
            Instant below = passed.minus(FLOOR_MARGIN);
            floors[shard] = below.isBefore(floors[shard]) ? below : floors[shard];
        }
    }

    private void begin(Claimed.Run claimed) {
        RunExecution.of(engine, engine.code(claimed.row().type()), claimed).begin();
    }
}
