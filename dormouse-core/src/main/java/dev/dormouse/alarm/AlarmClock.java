package dev.dormouse.alarm;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * When must this node act next? Keeps the nearest alarms that the node knows of, as bare instants: which runs they
 * belong to is for the claim to find out. Time is passed in.
 *
 * <p>At most {@code capacity} instants are kept. What does not fit, or was not read because there was more, lies behind
 * the horizon: {@link #next} never answers with an instant after it, so that the node reads ahead again in time.
 *
 * <p>Thread-safe. An alarm that nobody armed here is found by the next sweep; one that was armed and has meanwhile been
 * moved or taken by somebody else costs one empty claim. What was read ahead, such as the end of a lease, is forgotten
 * when it is not there any more at the next reading.
 */
public final class AlarmClock {
    private final int capacity;
    private final TreeSet<Instant> armed = new TreeSet<>();
    private final TreeSet<Instant> read = new TreeSet<>();
    private Instant horizon = Instant.MAX;
    private Instant missed = Instant.MAX;

    public AlarmClock(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("Expected room for at least one alarm, but got " + capacity + ".");
        }
        this.capacity = capacity;
    }

    /** Makes sure that the node acts at this instant; tells whether that is earlier than all it knew of. */
    public synchronized boolean arm(Instant alarm) {
        Instant before = next();
        if (alarm.isBefore(horizon)) {
            armed.add(alarm);
            shrink();
        } else {
            missed = earlier(missed, alarm);
        }
        return alarm.isBefore(before);
    }

    /**
     * Somebody else has set this alarm, and perhaps others after it of which nothing was heard: makes sure that the node
     * acts then, and reads ahead again. Tells whether that is earlier than all it knew of.
     */
    public synchronized boolean hear(Instant alarm) {
        boolean first = arm(alarm);
        horizon = earlier(horizon, alarm);
        missed = earlier(missed, alarm);
        return first;
    }

    /** Reading ahead begins: what is set from now on may not be in what is read. */
    public synchronized void beginReadAhead() {
        missed = Instant.MAX;
    }

    /**
     * Takes over what was read ahead, but for what it has not kept since {@link #beginReadAhead}: that is read again.
     *
     * @param nearest the nearest alarms
     * @param readUpTo there may be more from this instant on; {@link Instant#MAX} when these are all
     */
    public synchronized void readAhead(Collection<Instant> nearest, Instant readUpTo) {
        horizon = earlier(readUpTo, missed);
        read.clear();
        read.addAll(nearest);
        shrink();
    }

    /** Forgets the alarms up to now, and gives them back in order. */
    public synchronized List<Instant> expire(Instant now) {
        TreeSet<Instant> passed = new TreeSet<>();
        for (TreeSet<Instant> alarms : List.of(armed, read)) {
            Set<Instant> some = alarms.headSet(now, true);
            passed.addAll(some);
            some.clear();
        }
        return List.copyOf(passed);
    }

    /** Whether time has come to what was not read ahead. */
    public synchronized boolean mustReadAhead(Instant now) {
        return !horizon.isAfter(now);
    }

    /** When to act next, {@link Instant#MAX} for never. */
    public synchronized Instant next() {
        return earlier(horizon, earlier(first(armed), first(read)));
    }

    private void shrink() {
        while (armed.size() + read.size() > capacity) {
            TreeSet<Instant> alarms = last(armed).isAfter(last(read)) ? armed : read;
            Instant dropped = alarms.last();
            alarms.remove(dropped);
            horizon = earlier(horizon, dropped);
            missed = earlier(missed, dropped);
        }
    }

    private static Instant first(TreeSet<Instant> alarms) {
        return alarms.isEmpty() ? Instant.MAX : alarms.first();
    }

    private static Instant last(TreeSet<Instant> alarms) {
        return alarms.isEmpty() ? Instant.MIN : alarms.last();
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
