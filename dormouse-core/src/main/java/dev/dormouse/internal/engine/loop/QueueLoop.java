package dev.dormouse.internal.engine.loop;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.RunHost;
import dev.dormouse.internal.engine.run.RunLauncher;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.engine.run.ServedCode;
import dev.dormouse.internal.engine.time.AlarmClock;
import dev.dormouse.internal.engine.time.ReadAhead;
import dev.dormouse.internal.engine.time.ScanFloor;
import dev.dormouse.internal.run.Lanes;
import dev.dormouse.internal.run.QueueLimits;
import dev.dormouse.internal.thread.BackOff;
import dev.dormouse.store.queue.QueueClaim;
import dev.dormouse.store.queue.QueueClaimed;
import dev.dormouse.store.run.Claimed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The loop that claims runs from the queues that this node serves, as far as the limits of the queues and the node's
 * room allow.
 *
 * <p><b>Waiting.</b> Like the {@link AlarmLoop} it does not poll. It waits for an alarm in a queue, for the instant
 * from which a limit allows more, or for room. Room is a place in the {@link RunTable}, or a run of the queue that
 * leaves this or another node. The sweeps of the alarm loop read the alarms ahead.
 *
 * <p><b>Room on other nodes.</b> If the {@code total} limit of a queue is reached, this node sends a "wanted" notice.
 * Another node answers with a "room" notice when a run of the queue leaves it. It answers at once if a run of the queue
 * has left it since its last notice: this node may have claimed, in vain, just before that run left. A lost notice is
 * harmless: the store returns an instant at which to claim again.
 *
 * <p><b>Floor.</b> A claim need not rescan the alarms below the {@link ScanFloor}. The floor is at the end while
 * nothing is due. It is lowered for an alarm that passes, and removed if a sweep reports overdue runs or a claim has
 * failed.
 *
 * <p><b>Concurrency.</b> Claims run on the loop's thread; any thread may call the other methods. The floor and
 * the sets and maps of waiting queues are guarded by this object's monitor, which is not held during a call of the
 * store. Guaranteed: room that is made during a claim causes another claim, because the loop registers the queue as
 * waiting and then checks for room again.
 */
public final class QueueLoop extends StoreLoop {
    private static final int CLAIMED_AT_ONCE = 100;
    private static final int ALARMS = 1_000;
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    private final RunHost host;
    private final RunTable table;
    private final ServedCode served;
    private final RunLauncher launcher;
    private final Map<String, QueueLimits> queues;
    private volatile Map<String, List<String>> lanes = Map.of();
    private final AlarmClock alarms = new AlarmClock(ALARMS);
    private final ScanFloor floor = new ScanFloor();
    private final BackOff backOff = new BackOff();
    private final Map<String, Integer> executing = new HashMap<>();
    private final Set<String> due = new HashSet<>();
    private final Set<String> waitForTable = new HashSet<>();
    private final Set<String> waitForOwn = new HashSet<>();
    private final Set<String> leftSinceClaim = new HashSet<>();
    private final Set<String> wantedElsewhere = new HashSet<>();
    private final Set<String> leftWithoutNotice = new HashSet<>();
    private Instant storeNow = Instant.MAX;

    public QueueLoop(
            NodeContext context,
            RunHost host,
            RunTable table,
            ServedCode served,
            RunLauncher launcher,
            Map<String, QueueLimits> queues) {
        super(context);
        this.host = host;
        this.table = table;
        this.served = served;
        this.launcher = launcher;
        this.queues = new ConcurrentHashMap<>(queues);
        this.floor.raiseToEnd();
        table.onRoom(this::room);
        served();
    }

    /** Serves one more queue, or changes the limits of a queue. */
    public void serve(String queue, QueueLimits limits) {
        queues.put(queue, limits);
        served();
        dueNow(queue);
    }

    /** Updates the lanes after the queues or the types that this node serves have changed. */
    public synchronized void served() {
        Map<String, List<String>> all = new HashMap<>();
        queues.keySet().forEach(queue -> all.put(queue, Lanes.all(queue, served.types())));
        lanes = all;
    }

    /** Returns the lanes of all queues that this node serves. */
    List<String> lanes() {
        return lanes.values().stream().flatMap(List::stream).toList();
    }

    public boolean serves(String lane) {
        return lanes.getOrDefault(Lanes.queueOf(lane), List.of()).contains(lane);
    }

    /** Makes the loop claim from all queues at this instant at the latest. */
    public void arm(Instant alarm) {
        if (alarms.arm(alarm)) {
            wake();
        }
    }

    /** Handles a notice of another node: an alarm, room in a queue, or a request to be notified of room. */
    public void onNotice(String lane, Instant at) {
        if (Lanes.isWanted(lane)) {
            wanted(Lanes.queueOf(lane));
        } else if (Lanes.isRoom(lane)) {
            dueNow(Lanes.queueOf(lane));
        } else if (serves(lane)) {
            arm(at);
        }
    }

    /**
     * Registers that another node waits for room in a queue. Notifies it at once if a run has left this node without a
     * notice, because the other node may have claimed before that.
     */
    private void wanted(String queue) {
        boolean mustNotify;
        synchronized (this) {
            wantedElsewhere.add(queue);
            mustNotify = leftWithoutNotice.remove(queue);
        }
        if (mustNotify) {
            context.notifyNodes(0, Lanes.room(queue), context.clock().latest());
        }
    }

    /** Prepares for the result of a sweep that begins now. */
    void beginReadAhead() {
        alarms.beginReadAhead();
    }

    /**
     * Takes over the result of a sweep of the queues' lanes.
     *
     * @param overdue true if an alarm has passed
     */
    void readAhead(ReadAhead ahead, boolean overdue) {
        alarms.readAhead(ahead.nearest(), ahead.readUpTo());
        if (overdue) {
            claimFromAll();
        }
        wake();
    }

    private synchronized void claimFromAll() {
        due.addAll(queues.keySet());
        floor.remove();
    }

    /** Counts a run that resumes on this node, and that will leave it again. */
    synchronized void resumed(String lane) {
        String queue = Lanes.queueOf(lane);
        if (!queue.isEmpty()) {
            executing.merge(queue, 1, Integer::sum);
        }
    }

    /**
     * Counts a run that has left this node, notifies other nodes that wait for room, and wakes the loop if it waits for
     * it.
     */
    public void left(String lane) {
        String queue = Lanes.queueOf(lane);
        if (queue.isEmpty()) {
            return;
        }
        boolean mustNotify;
        boolean wakes;
        synchronized (this) {
            executing.merge(queue, -1, Integer::sum);
            leftSinceClaim.add(queue);
            mustNotify = wantedElsewhere.remove(queue);
            if (!mustNotify) {
                leftWithoutNotice.add(queue);
            }
            wakes = waitForOwn.contains(queue) && due.add(queue);
        }
        if (mustNotify) {
            context.notifyNodes(0, Lanes.room(queue), context.clock().latest());
        }
        if (wakes) {
            wake();
        }
    }

    /** Wakes the loop if a queue waits for room on this node. */
    private void room() {
        boolean wakes;
        synchronized (this) {
            wakes = due.addAll(waitForTable);
        }
        if (wakes) {
            wake();
        }
    }

    private void dueNow(String queue) {
        if (queues.containsKey(queue)) {
            synchronized (this) {
                due.add(queue);
            }
            wake();
        }
    }

    @Override
    protected void turn() {
        if (attempt("Looking for due runs in queues failed; trying again", this::look)) {
            await(untilNext());
            backOff.reset();
        } else {
            claimFromAll();
            await(backOff.next());
        }
    }

    private Duration untilNext() {
        Duration wait = context.clock().until(alarms.next());
        return wait.compareTo(LONGEST_WAIT) < 0 ? wait : LONGEST_WAIT;
    }

    private void look() {
        Instant now = context.clock().earliest();
        List<Instant> passed = alarms.expire(now);
        if (alarms.takeReadAhead(now)) {
            host.sweepNow();
        }
        storeNow = Instant.MAX;
        for (String queue : takeDue(passed)) {
            for (int shard = 0; shard < context.store().shards() && !isClosed(); shard++) {
                claimAll(shard, queue);
            }
        }
        alarms.armAgain(passed, storeNow);
        synchronized (this) {
            if (due.isEmpty()) {
                floor.raiseToEnd();
            }
        }
    }

    private synchronized List<String> takeDue(List<Instant> passed) {
        if (!passed.isEmpty()) {
            due.addAll(queues.keySet());
            floor.lowerTo(passed.get(0));
        }
        List<String> taken = new ArrayList<>(due);
        due.clear();
        taken.forEach(waitForTable::remove);
        taken.forEach(waitForOwn::remove);
        return taken;
    }

    private void claimAll(int shard, String queue) {
        boolean more = true;
        while (more && !isClosed()) {
            int wanted = roomHere(queue);
            int room = wanted == 0 ? 0 : table.reserveForClaim(wanted);
            more = room > 0 && claim(shard, queue, room);
            if (room == 0) {
                waitForRoom(queue, wanted == 0 ? waitForOwn : waitForTable);
            }
        }
    }

    /** Returns the number of further runs of a queue that this node may execute, at most {@link #CLAIMED_AT_ONCE}. */
    private synchronized int roomHere(String queue) {
        int limit = limits(queue).perNode();
        int left = limit == 0 ? CLAIMED_AT_ONCE : limit - executing.getOrDefault(queue, 0);
        return Math.max(0, Math.min(left, CLAIMED_AT_ONCE));
    }

    private void waitForRoom(String queue, Set<String> list) {
        synchronized (this) {
            list.add(queue);
        }
        if (roomHere(queue) > 0 && table.hasRoomForClaim()) {
            dueNow(queue); // room was made before the queue was registered
        }
    }

    private QueueLimits limits(String queue) {
        return Objects.requireNonNull(queues.get(queue));
    }

    /** Claims and begins at most {@code room} runs. Returns true if another claim may return more. */
    private boolean claim(int shard, String queue, int room) {
        boolean takeOver = context.guard().mayTakeOver();
        String epoch = context.epoch(shard);
        int taken = 0;
        QueueClaimed claimed;
        try {
            long sent = context.threads().nanoTime();
            forgetLeft(queue);
            claimed = context.store().claimQueued(shard, request(queue, room, takeOver));
            taken = claimed.runs().size();
            storeNow = claimed.now();
            context.observe(claimed.now(), sent);
        } finally {
            table.release(room - taken);
        }
        if (!takeOver) {
            arm(context.clock().latest().plus(context.guard().askAgainIn()));
        }
        synchronized (this) {
            executing.merge(queue, taken, Integer::sum);
        }
        context.names().learn(shard, claimed.runs());
        claimed.runs().forEach(run -> begin(run, epoch));
        claimed.moved().forEach(this::arm);
        if (claimed.next() != null) {
            heldUp(shard, queue, claimed.next());
            return false;
        }
        return claimed.more() && taken > 0;
    }

    private synchronized void forgetLeft(String queue) {
        leftSinceClaim.remove(queue);
    }

    /** Waits until the queue's limits allow more. Claims again at once if a run has left this node during the claim. */
    private void heldUp(int shard, String queue, Instant next) {
        arm(next);
        if (limits(queue).total() > 0) {
            boolean hasRoom;
            synchronized (this) {
                waitForOwn.add(queue);
                hasRoom = leftSinceClaim.contains(queue);
            }
            if (hasRoom) {
                dueNow(queue);
                return;
            }
            if (!context.store().isExclusive()) {
                context.notifyNodes(shard, Lanes.wanted(queue), context.clock().latest());
            }
        }
    }

    private QueueClaim request(String queue, int room, boolean takeOver) {
        QueueLimits limits = limits(queue);
        Instant from;
        synchronized (this) {
            from = floor.get();
        }
        return new QueueClaim(
                queue,
                lanes.getOrDefault(queue, List.of()),
                room,
                limits.total(),
                limits.rate(),
                limits.keyRate(),
                context.ids().lease(),
                context.settings().leasePeriod(),
                context.nodeId(),
                context.build(),
                context.nodeTimeout(),
                takeOver ? context.clock().latest() : Instant.EPOCH,
                from);
    }

    private void begin(Claimed.Run claimed, String epoch) {
        launcher.claimed(claimed, epoch);
    }
}
