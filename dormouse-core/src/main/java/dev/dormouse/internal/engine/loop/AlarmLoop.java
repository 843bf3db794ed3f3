package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.command.UnservedLanes;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.LocalPauses;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.engine.run.RunLauncher;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.engine.run.ServedCode;
import dev.dormouse.internal.engine.time.AlarmClock;
import dev.dormouse.internal.engine.time.ReadAhead;
import dev.dormouse.internal.engine.time.ScanFloor;
import dev.dormouse.internal.engine.time.SweepSchedule;
import dev.dormouse.internal.run.EngineSettings;
import dev.dormouse.internal.thread.BackOff;
import dev.dormouse.store.base.NodeState;
import dev.dormouse.store.run.Claim;
import dev.dormouse.store.run.Claimed;
import dev.dormouse.store.run.Fence;
import dev.dormouse.store.run.Sweep;
import dev.dormouse.store.run.Swept;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The loop that claims due runs. It waits until the next alarm, and claims as many due runs as the node has room for.
 * It sweeps the store periodically as a safety net. Runs of queues are claimed by the {@link QueueLoop}.
 *
 * <p><b>Waiting.</b> The loop does not poll. It waits at a gate until the earliest of three instants: the next alarm of
 * its {@link AlarmClock}, the next end of a pause of an activity that prefers this node, and the next sweep. Other
 * threads open the gate when an earlier alarm is set, when a sweep is requested, or when the node has room again. If a
 * run pauses on this node or gets a message from it, and this node can claim the run, it does not announce the alarm.
 * Other nodes learn of that alarm by their sweeps.
 *
 * <p><b>Dead nodes.</b> The end of a lease is an alarm like any other. A claim takes over runs whose lease has ended,
 * unless the {@code TakeoverGuard} holds takeovers back.
 *
 * <p><b>Reading ahead.</b> A sweep reads the nearest {@link #READ_AHEAD} alarms of each shard into the alarm clock. If
 * there are more, the clock has a horizon, and the loop sweeps again when it reaches the horizon.
 *
 * <p><b>Sweeps.</b> A sweep also publishes this node's state and reads the store's clock and epoch. It reports alarms
 * that have passed and items in the outbox. It runs when the node opens, after each sweep interval, after a failure,
 * and on request. So an alarm whose notice was lost is late by at most a sweep interval.
 *
 * <p><b>Floors.</b> Each shard has a {@link ScanFloor}, at which a claim starts to scan the alarms. It is lowered for
 * an alarm that passes, and removed when a sweep reports overdue alarms or takeovers are on hold.
 *
 * <p><b>Room.</b> Places in the {@link RunTable} are reserved before a claim, and places that it did not use are
 * released. If the node has no room, due runs stay in the store, and the loop continues when the table reports room.
 *
 * <p><b>Concurrency.</b> Any thread may call {@link #arm}, {@link #onNotice}, {@link #sweepNow}, {@link #served},
 * {@link #onSweep} and {@link #close}. The thread that opens the node calls {@link #open} before the loop starts.
 * Everything else is confined to the loop's thread. Guaranteed: an alarm that is set, or room that is made, during a
 * claim is seen in the next turn, because the gate stays open for it. Several nodes may wake up for the same alarm: one
 * of them claims the run, and the claims of the others return nothing.
 */
public final class AlarmLoop extends StoreLoop {
    private static final Logger LOG = LoggerFactory.getLogger(AlarmLoop.class);
    private static final int CLAIMED_AT_ONCE = 200;
    private static final int READ_AHEAD = 500;
    private static final int FIRST_LOOKS = 5;
    private static final Duration GOOD_WIDTH = Duration.ofMillis(1);

    private final RunTable table;
    private final ServedCode served;
    private final UnservedLanes unserved;
    private final QueueLoop queues;
    private final FailoverRecovery recovery;
    private final LocalPauses localPauses;
    private final RunLauncher launcher;
    private final Supplier<NodeState> state;
    private final AlarmClock alarms = new AlarmClock(2 * READ_AHEAD);
    private final SweepSchedule sweeps;
    private final List<ScanFloor> floors;
    private final BackOff backOff = new BackOff();
    private final Runnable onOutbox;
    private Instant storeNow = Instant.MAX;
    private boolean due;
    private volatile boolean wantsRoom;
    private volatile boolean mustWakeStuck;
    private volatile @Nullable Runnable afterSweep;

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
        super(context);
        this.table = table;
        this.served = served;
        this.unserved = unserved;
        this.queues = queues;
        this.recovery = recovery;
        this.localPauses = localPauses;
        this.launcher = launcher;
        this.state = state;
        this.onOutbox = onOutbox;
        this.sweeps = new SweepSchedule(context.threads());
        this.floors = IntStream.range(0, context.store().shards())
                .mapToObj(shard -> new ScanFloor())
                .toList();
        table.onRoom(this::room);
    }

    private List<String> allLanes() {
        return Stream.concat(served.lanes().stream(), queues.lanes().stream()).toList();
    }

    /** Registers a task that runs after each sweep, on a thread of its own. */
    public void onSweep(Runnable task) {
        afterSweep = task;
    }

    /** Handles new lanes: wakes stuck runs, which other nodes may have refused, and requests a sweep. */
    public void served() {
        mustWakeStuck = true;
        sweepNow();
    }

    private void wakeStuck() {
        mustWakeStuck = false;
        try {
            for (int shard = 0; shard < floors.size(); shard++) {
                context.store().wakeStuck(shard, allLanes(), context.build());
            }
        } catch (RuntimeException notDone) {
            mustWakeStuck = true;
            throw notDone;
        }
    }

    /**
     * Sweeps before the node does anything else, and wakes stuck runs. Repeats the sweep until the store's clock is
     * known to {@link #GOOD_WIDTH}, at most {@link #FIRST_LOOKS} times. Shortens leases if the store's clock was set
     * back.
     */
    public void open() {
        sweepAll();
        boolean setBack = false;
        for (int shard = 0; shard < floors.size(); shard++) {
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

    /**
     * Returns true if a node was last seen more than a lease period in the future: the store's clock was set back since
     * then.
     */
    private boolean wasSetBack(int shard) {
        Instant soon = context.clock().latest().plus(context.settings().leasePeriod());
        return !context.store().isExclusive()
                && context.store().nodes(shard).stream()
                        .anyMatch(node -> node.seenAt().isAfter(soon));
    }

    /** Makes the loop act at this instant at the latest. */
    public void arm(Instant alarm) {
        if (alarms.arm(alarm)) {
            wake();
        }
    }

    /** Makes the loop act at an alarm that another node has set, and read ahead again then. */
    public void onNotice(Instant alarm) {
        if (alarms.hear(alarm)) {
            wake();
        }
    }

    /** Requests a sweep, because a notice may have been missed. */
    public void sweepNow() {
        sweeps.request();
        wake();
    }

    private void room() {
        if (wantsRoom) {
            wantsRoom = false;
            wake();
        }
    }

    @Override
    protected void turn() {
        if (attempt("Looking for due runs failed; trying again", this::look)) {
            await(untilNext());
            backOff.reset();
        } else {
            sweeps.request();
            await(backOff.next());
        }
    }

    private void look() {
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
        if (sweeps.isDue(context.settings().sweepInterval())
                || alarms.mustReadAhead(context.clock().earliest())) {
            sweeps.begin();
            sweepAll();
            callAfterSweep();
            unserved.afterSweep();
        }
        localPauses.setAlarms();
        List<Instant> passed = alarms.expire(context.clock().earliest());
        if (!passed.isEmpty()) {
            due = true;
            floors.forEach(floor -> floor.lowerTo(passed.get(0)));
        }
        if (due) {
            due = false;
            for (int shard = 0; shard < floors.size() && !isClosed(); shard++) {
                claimAll(shard);
            }
            alarms.armAgain(passed, storeNow);
        }
        if (due) {
            wantsRoom = true; // a claim of another shard has reset it; room made since then was not reported
            if (table.hasRoomForClaim()) {
                wake();
            }
        }
    }

    /**
     * Shortens leases that were granted before the store's clock was set back, since they would seem to last far too
     * long. A lease that its owner does not renew within a lease period can be taken over then.
     */
    private void shortenLeases() {
        EngineSettings settings = context.settings();
        Duration parked = settings.maxParkTime().plus(settings.parkGrace());
        for (int shard = 0; shard < floors.size(); shard++) {
            Duration lease = longestLease(shard);
            int shortened = context.store().shortenLeases(shard, allLanes(), lease.plus(parked), lease);
            if (shortened > 0) {
                LOG.warn("The store's clock was set back: {} leases that lasted too long were shortened", shortened);
                sweeps.request();
            }
        }
    }

    /**
     * Returns the longest lease period of any node. A node that is configured with a longer period renews less often.
     */
    private Duration longestLease(int shard) {
        return context.store().nodes(shard).stream()
                .map(node -> node.state().leasePeriod())
                .reduce(context.settings().leasePeriod(), (one, other) -> one.compareTo(other) < 0 ? other : one);
    }

    /**
     * Returns the time until the next sweep, alarm or end of an activity's pause. Ignores alarms while due runs wait for
     * room, because the table reports room.
     */
    private Duration untilNext() {
        Duration untilSweep = sweeps.untilNext(context.settings().sweepInterval());
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
        queues.beginReadAhead();
        ReadAhead plain = new ReadAhead(READ_AHEAD);
        ReadAhead queued = new ReadAhead(READ_AHEAD);
        boolean queueOverdue = false;
        for (int shard = 0; shard < floors.size(); shard++) {
            Swept swept = sweep(shard);
            plain.add(swept.alarms());
            queued.add(swept.queueAlarms());
            queueOverdue |= swept.queueOverdue();
        }
        alarms.readAhead(plain.nearest(), plain.readUpTo());
        queues.readAhead(queued, queueOverdue);
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
            floors.get(shard).remove();
        }
        if (swept.outbox()) {
            onOutbox.run();
        }
        return swept;
    }

    /**
     * Makes all runs reread their state if the store's epoch has changed: the store may have lost confirmed commits.
     * Takeovers are held back then, and after the first sweep of a store that has just started.
     */
    private void watchEpoch(int shard, Swept swept) {
        String known = context.epoch(shard);
        boolean first = known.equals(Fence.ANY_EPOCH);
        if (!first && !known.equals(swept.epoch())) {
            LOG.warn("The store's epoch has changed from {} to {}: all runs are read again", known, swept.epoch());
            context.guard().hold();
            stopAll(shard);
            context.epoch(shard, swept.epoch());
            stopAll(shard); // runs that were added meanwhile
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
        while (more && !isClosed()) {
            wantsRoom = true; // before the reservation, so that room made from now on is noticed
            int room = table.reserveForClaim(CLAIMED_AT_ONCE);
            if (room == 0) {
                due = true;
                return;
            }
            wantsRoom = false;
            more = claim(shard, room);
        }
    }

    /** Claims and begins at most {@code room} runs. Returns true if another claim may return more. */
    private boolean claim(int shard, int room) {
        boolean takeOver = context.guard().mayTakeOver();
        String epoch = context.epoch(shard);
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
        claimed.runs().forEach(run -> begin(run, epoch));
        moveFloor(shard, claimed, takeOver);
        return claimed.more() && taken > 0;
    }

    /**
     * Returns the floor of a shard. A store with one process needs none: only a shared database keeps dead index
     * entries.
     */
    private Instant floor(int shard) {
        return context.store().isExclusive() ? Instant.EPOCH : floors.get(shard).get();
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

    /**
     * Moves the floor up to the alarms that the claim has scanned. Below it, only runs remain that other nodes had
     * locked; the next sweep finds them. Removes the floor while takeovers are on hold.
     */
    private void moveFloor(int shard, Claimed claimed, boolean takeOver) {
        List<Claimed.Run> runs = claimed.runs();
        ScanFloor floor = floors.get(shard);
        if (!takeOver) {
            floor.remove();
            arm(context.clock().latest().plus(context.guard().askAgainIn()));
        } else if (!claimed.more()) {
            floor.moveTo(claimed.now());
        } else if (!runs.isEmpty()) {
            floor.moveTo(runs.get(runs.size() - 1).alarm());
        }
    }

    private void begin(Claimed.Run claimed, String epoch) {
        launcher.claimed(claimed, epoch);
    }
}
