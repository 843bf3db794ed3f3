package dev.dormouse.internal.engine.time;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The nearest alarms that a node knows of, as bare instants: the claim finds out which runs they belong to. Time is
 * passed in.
 *
 * <p><b>Horizon</b>: at most {@code capacity} instants are kept. Alarms that do not fit, or were not read because there
 * were more, lie behind the horizon. {@link #next} never returns an instant after it, so that the node reads ahead
 * again in time.
 *
 * <p><b>Concurrency</b>: thread-safe; every method is atomic. Guaranteed: an armed alarm is not forgotten until {@link
 * #expire} returns it. If it does not fit, the horizon is not later than it until a reading that began later covers it.
 * Alarms from a reading are forgotten if the next reading does not contain them. Best effort, and harmless: the next
 * sweep finds an alarm that was never armed here. An alarm that was moved, or that another node has claimed, costs one
 * empty claim.
 */
public final class AlarmClock {
    private final int capacity;
    private final TreeSet<Instant> armed = new TreeSet<>();
    private final TreeSet<Instant> read = new TreeSet<>();
    private Instant horizon = Instant.MAX;
    private Instant missed = Instant.MAX;

    public AlarmClock(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("Expected a capacity of at least one alarm, but got " + capacity + ".");
        }
        this.capacity = capacity;
    }

    /** Makes sure that the node acts at this instant. Returns true if it is earlier than all alarms known before. */
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
     * Makes sure that the node acts at this instant and then reads ahead again. For an alarm that another node has set:
     * that node may have set later ones too, whose notices were lost. Returns true if the instant is earlier than all
     * alarms known before.
     */
    public synchronized boolean hear(Instant alarm) {
        boolean first = arm(alarm);
        horizon = earlier(horizon, alarm);
        missed = earlier(missed, alarm);
        return first;
    }

    /** Marks the start of reading ahead. The reading may not contain alarms that are set from now on. */
    public synchronized void beginReadAhead() {
        missed = Instant.MAX;
    }

    /**
     * Replaces the alarms of the previous reading. Moves the horizon to the earliest alarm that was not kept since
     * {@link #beginReadAhead}, if that is before {@code readUpTo}, so that it is read again.
     *
     * @param nearest the nearest alarms
     * @param readUpTo the instant from which there may be more alarms; {@link Instant#MAX} if {@code nearest} contains
     *     all
     */
    public synchronized void readAhead(Collection<Instant> nearest, Instant readUpTo) {
        horizon = earlier(readUpTo, missed);
        read.clear();
        read.addAll(nearest);
        shrink();
    }

    /** Removes the alarms up to and including {@code now}, and returns them in order. */
    public synchronized List<Instant> expire(Instant now) {
        TreeSet<Instant> passed = new TreeSet<>();
        for (TreeSet<Instant> alarms : List.of(armed, read)) {
            Set<Instant> some = alarms.headSet(now, true);
            passed.addAll(some);
            some.clear();
        }
        return List.copyOf(passed);
    }

    /** Arms those of the {@code passed} alarms again that are after {@code now}. */
    public synchronized void armAgain(List<Instant> passed, Instant now) {
        passed.stream().filter(alarm -> alarm.isAfter(now)).forEach(this::arm);
    }

    /** Returns true if {@code now} has reached the horizon. */
    public synchronized boolean mustReadAhead(Instant now) {
        return !horizon.isAfter(now);
    }

    /**
     * Returns true if {@code now} has reached the horizon, and drops the horizon until the next reading. For a caller
     * that requests the reading from another thread and does not repeat the request.
     */
    public synchronized boolean takeReadAhead(Instant now) {
        boolean must = mustReadAhead(now);
        horizon = must ? Instant.MAX : horizon;
        return must;
    }

    /** Returns the instant at which to act next; {@link Instant#MAX} for never. */
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
