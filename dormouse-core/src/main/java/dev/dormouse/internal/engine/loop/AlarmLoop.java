package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.command.UnservedLanes;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.LocalPauses;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.engine.run.RunLauncher;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.engine.run.ServedCode;
import dev.dormouse.internal.engine.time.AlarmClock;
import dev.dormouse.internal.run.EngineSettings;
import dev.dormouse.internal.thread.BackOff;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.Sweep;
import dev.dormouse.store.run.Swept;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
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
public final class AlarmLoop implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(AlarmLoop.class);
    private static final int CLAIMED_AT_ONCE = 200;
    private static final int READ_AHEAD = 500;
    private static final int FIRST_LOOKS = 5;
    private static final Duration GOOD_WIDTH = Duration.ofMillis(1);
    private static final Duration FLOOR_MARGIN = Duration.ofSeconds(1);

    private final NodeContext context;
    private final RunTable table;
    private final ServedCode served;
    private final UnservedLanes unserved;
    private final QueueLoop queues;
    private final FailoverRecovery recovery;
    private final LocalPauses localPauses;
    private final RunLauncher launcher;
    private final Supplier<NodeState> state;
    private final AlarmClock alarms = new AlarmClock(2 * READ_AHEAD);
    private final Gate gate;
    private final Instant[] floors;
    private final Runnable onOutbox;
    private long lastSweep;
    private Instant storeNow = Instant.MAX;
    private boolean due;
    private volatile boolean sweepNow = true;
    private volatile boolean wantsRoom;
    private volatile boolean mustWakeStuck;
    private volatile @Nullable Runnable afterSweep;
    private volatile boolean closed;

    public AlarmLoop(
            NodeContext context,
            RunTable table,
            ServedCode served,
            UnservedLanes unserved,
            QueueLoop queues,
            FailoverRecovery recovery,
            LocalPauses localPauses,
            RunLauncher launcher,
            Supplier<NodeState> state,
            Runnable onOutbox) {
        this.context = context;
        this.table = table;
        this.served = served;
        this.unserved = unserved;
        this.queues = queues;
        this.recovery = recovery;
        this.localPauses = localPauses;
        this.launcher = launcher;
        this.state = state;
        this.onOutbox = onOutbox;
        this.gate = context.threads().newGate();
        this.floors = new Instant[context.store().shards()];
        Arrays.fill(floors, Instant.EPOCH);
        table.onRoom(this::room);
    }

    private List<String> allLanes() {
        return Stream.concat(served.lanes().stream(), queues.lanes().stream()).toList();
    }

    /** Has this run after sweeps, on a thread of its own. */
    public void onSweep(Runnable task) {
        afterSweep = task;
    }

    /** There are new lanes, whose runs may have been refused by all others. */
    public void served() {
        mustWakeStuck = true;
        sweepNow();
    }

    private void wakeStuck() {
        mustWakeStuck = false;
        try {
            for (int shard = 0; shard < floors.length; shard++) {
                context.store().wakeStuck(shard, allLanes(), context.build());
            }
        } catch (RuntimeException notDone) {
            mustWakeStuck = true;
            throw notDone;
        }
    }

    /** A first look, before the node does anything else: so it knows the store's time, and knows it well. */
    public void open() {
        sweepAll();
        boolean setBack = false;
        for (int shard = 0; shard < floors.length; shard++) {
            context.store().wakeStuck(shard, allLanes(), context.build());
            setBack |= wasSetBack(shard);
        }
        if (setBack) {
            shortenLeases();
        }
        for (int i = 0; i < FIRST_LOOKS && context.clock().width().compareTo(GOOD_WIDTH) > 0; i++) {
            sweepAll();
        }
    }

    /** Whether a node was seen at a time that is still to come. */
    private boolean wasSetBack(int shard) {
        Instant soon = context.clock().latest().plus(context.settings().leasePeriod());
        return !context.store().isExclusive()
                && context.store().nodes(shard).stream()
                        .anyMatch(node -> node.seenAt().isAfter(soon));
    }

    /** Makes the node act at this instant at the latest. */
    public void arm(Instant alarm) {
        if (alarms.arm(alarm)) {
            gate.open();
        }
    }

    /** Another node has set an alarm that it cannot act on. */
    public void hear(Instant alarm) {
        if (alarms.hear(alarm)) {
            gate.open();
        }
    }

    /** Something may have been missed: look now. */
    public void sweepNow() {
        sweepNow = true;
        gate.open();
    }

    public void close() {
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
                context.stalled(noAnswer);
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
        if (context.contact().takeClockWasSet()) {
            try {
                shortenLeases();
            } catch (RuntimeException notDone) {
                context.contact().clockWasSet();
                throw notDone;
            }
        }
        if (mustWakeStuck) {
            wakeStuck();
        }
        if (mustSweep()) {
            sweepNow = false;
            lastSweep = context.threads().nanoTime();
            sweepAll();
            callAfterSweep();
            unserved.afterSweep();
        }
        localPauses.setAlarms();
        List<Instant> passed = alarms.expire(context.clock().earliest());
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
            if (table.hasRoomForClaim()) {
                gate.open();
            }
        }
    }

    /**
     * After the store's clock was set back, leases of the dead seem to last for ever. Those that nobody renews within a
     * lease period from here on can be taken over then.
     */
    private void shortenLeases() {
        EngineSettings settings = context.settings();
        Duration parked = settings.parkAtMost().plus(settings.parkGrace());
        for (int shard = 0; shard < floors.length; shard++) {
            Duration lease = longestLease(shard);
            int shortened = context.store().shortenLeases(shard, allLanes(), lease.plus(parked), lease);
            if (shortened > 0) {
                LOG.warn("The store's clock was set back: {} leases that seemed to last too long end soon", shortened);
                sweepNow = true;
            }
        }
    }

    /** The longest lease period of any node: another one may be set up with a longer one, and renews less often. */
    private Duration longestLease(int shard) {
        return context.store().nodes(shard).stream()
                .map(node -> node.state().leasePeriod())
                .reduce(context.settings().leasePeriod(), (one, other) -> one.compareTo(other) < 0 ? other : one);
    }

    /** A claim has heard the store's time: what this node took to have passed, and has not, is still to come. */
    private void rearm(List<Instant> passed) {
        Instant now = storeNow;
        passed.stream().filter(alarm -> alarm.isAfter(now)).forEach(alarms::arm);
    }

    private boolean mustSweep() {
        long sinceSweep = context.threads().nanoTime() - lastSweep;
        return sweepNow
                || sinceSweep >= context.settings().sweepInterval().toNanos()
                || alarms.mustReadAhead(context.clock().earliest());
    }

    /** Until the next sweep or alarm; but what is due already waits for room, of which it is told. */
    private Duration untilNext() {
        if (sweepNow) {
            return Duration.ZERO;
        }
        long sinceSweep = context.threads().nanoTime() - lastSweep;
        Duration untilSweep = context.settings().sweepInterval().minusNanos(sinceSweep);
        Duration untilAlarm = due ? untilSweep : context.clock().until(alarms.next());
        Duration untilPaused = context.clock().until(localPauses.next());
        Duration untilAny = untilAlarm.compareTo(untilPaused) < 0 ? untilAlarm : untilPaused;
        return untilAny.compareTo(untilSweep) < 0 ? untilAny : untilSweep;
    }

    // ---- sweeps

    private void callAfterSweep() {
        Runnable task = afterSweep;
        if (task != null) {
            context.threads().startCode("after sweep", task);
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
        queues.readAhead(queued.nearest, queued.readUpTo.equals(Instant.MAX), queueOverdue);
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
        long sent = context.threads().nanoTime();
        Swept swept = context.store()
                .sweep(
                        shard,
                        new Sweep(
                                context.nodeId(),
                                context.build(),
                                served.lanes(),
                                queues.lanes(),
                                READ_AHEAD,
                                state.get()));
        context.observe(swept.now(), sent);
        watchEpoch(shard, swept);
        recovery.resumeAll(shard);
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
        String known = context.epoch(shard);
        boolean first = known.equals(Fence.ANY_EPOCH);
        if (!first && !known.equals(swept.epoch())) {
            LOG.warn("The store has changed from {} to {}: all runs are read anew", known, swept.epoch());
            context.guard().hold();
            stopAll(shard);
            context.epoch(shard, swept.epoch());
            stopAll(shard); // those that came in between
        } else if (first && !context.store().isExclusive() && isJustUp(swept)) {
            context.guard().hold();
        }
        context.epoch(shard, swept.epoch());
    }

    private void stopAll(int shard) {
        table.all(run -> run.shard() == shard).forEach(LocalRun::reread);
    }

    private boolean isJustUp(Swept swept) {
        return swept.upSince().plus(context.settings().leasePeriod()).isAfter(swept.now());
    }

    // ---- claims

    private void claimAll(int shard) {
        boolean more = !served.lanes().isEmpty();
        while (more && !closed) {
            wantsRoom = true; // before looking for room, so that room made from now on is noticed
            int room = table.reserveForClaim(CLAIMED_AT_ONCE);
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
        boolean takeOver = context.guard().mayTakeOver();
        int taken = 0;
        Claimed claimed;
        try {
            long sent = context.threads().nanoTime();
            claimed = context.store().claim(shard, claimRequest(room, takeOver, floor(shard)));
            taken = claimed.runs().size();
            storeNow = claimed.now();
            context.observe(claimed.now(), sent);
        } finally {
            table.release(room - taken);
        }
        context.names().learn(shard, claimed.runs());
        claimed.runs().forEach(this::begin);
        moveFloor(shard, claimed, takeOver);
        return claimed.more() && taken > 0;
    }

    /** Only a database that many share keeps dead entries at the head of its index, for which floors are made. */
    private Instant floor(int shard) {
        return context.store().isExclusive() ? Instant.EPOCH : floors[shard];
    }

    private Claim claimRequest(int room, boolean takeOver, Instant floor) {
        return new Claim(
                served.lanes(),
                room,
                context.ids().lease(),
                context.settings().leasePeriod(),
                context.nodeId(),
                context.build(),
                context.nodeTimeout(),
                takeOver ? context.clock().latest() : Instant.EPOCH,
                floor);
    }

    /** Below what a claim has been through nothing is left, but for what others had locked: that is for the sweep. */
    private void moveFloor(int shard, Claimed claimed, boolean takeOver) {
        List<Claimed.Run> runs = claimed.runs();
        if (!takeOver) {
            floors[shard] = Instant.EPOCH;
            arm(context.clock().latest().plus(context.guard().askAgainIn()));
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
        launcher.claimed(claimed);
    }
}
