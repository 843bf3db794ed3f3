package dev.dormouse.internal.engine.write;

import dev.dormouse.internal.engine.observe.StoreWatch;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Threads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group commit: collects the entries of many threads and sends them in batches.
 *
 * <p><b>Group commit.</b> A writer takes all entries that have arrived while the previous batch was on its way, and
 * sends them as one batch. A single entry is sent at once; a batch never waits for more entries. Entries with an equal
 * key never share a batch.
 *
 * <p><b>Unknown outcomes.</b> An outcome for which {@link Kind#again} returns true is not reported: either the store
 * did not answer, or another session has locked the row. The identical entry is sent again after a back-off of its own,
 * and other entries overtake it.
 *
 * <p><b>Slow lane.</b> If several entries were tried and none was applied for {@link #FRUITLESS}, the whole store may
 * be in trouble. Then only one of these entries is sent again every {@link #PROBE}, until an entry is applied. Entries
 * that were not tried yet do not wait for that, because perhaps only the rows of the others are locked.
 *
 * <p><b>Warnings.</b> An entry that was not applied for {@link #OLD} is logged once, with its key, and at most one entry
 * in {@link #OLD}. There is no line for what {@link StoreWatch} has reported already: an outage of the store, unless
 * other entries are applied meanwhile, and locks that hold up several entries.
 *
 * <p><b>Errors.</b> A writer survives errors of the virtual machine, such as an {@link OutOfMemoryError}. Entries that
 * it has taken and not answered are sent again, as after an unknown outcome.
 *
 * <p><b>Concurrency.</b> Thread-safe. Guaranteed: each entry gets exactly one outcome, unless {@link #takeBack}
 * returned it to its caller. Submitting takes no lock. An entry that arrives while a writer becomes idle is not
 * overlooked: the writer registers its gate and then checks the intake again. In the same way, an entry that arrives
 * during {@link #close} is answered by exactly one thread: the one that removes it from the intake. The queue is
 * bounded, because callers wait for their entries, or bound what they submit.
 */
public final class Batcher<E, O> {
    private static final Logger LOG = LoggerFactory.getLogger(Batcher.class);
    private static final Duration FIRST_BACK_OFF = Duration.ofMillis(5);
    private static final Duration LAST_BACK_OFF = Duration.ofMillis(500);
    private static final Duration OLD = Duration.ofMinutes(1);
    private static final Duration FRUITLESS = Duration.ofSeconds(2);
    private static final Duration PROBE = Duration.ofSeconds(1);

    /** The reason why an entry was not applied. It decides whether a warning about the entry says something new. */
    enum Cause {
        /** Another session has locked the row. */
        LOCKED,
        /** A failure that {@link StoreWatch} reports as an outage. */
        OUTAGE,
        /** A failure that nothing else reports, such as a bug in the store's code. */
        UNREPORTED
    }

    /** The operations of a batcher on its kind of entries. */
    interface Kind<E, O> {
        List<O> send(List<E> batch);

        Object key(E entry);

        int bytes(E entry);

        boolean again(O outcome);

        /** Returns the cause of an outcome for which {@link #again} returns true. */
        Cause cause(O outcome);

        /** Returns the outcome for all entries of a batch that could not be sent as a whole. */
        O failed(Throwable problem);
    }

    /** An observer of the batches that were sent. */
    @FunctionalInterface
    interface Observer {
        /**
         * @param began {@link Threads#nanoTime} before the batch was sent
         * @param waiting the number of entries that wait now
         */
        void sent(int entries, long began, int waiting);
    }

    /** An entry that was submitted. */
    public static final class Ticket<E, O> {
        final E entry;
        final Consumer<O> done;
        Duration backOff = FIRST_BACK_OFF;
        long due;
        boolean givenUp;
        long firstSent;
        boolean warned;
        int round;

        @Nullable
        O lastOutcome;

        Ticket(E entry, Consumer<O> done) {
            this.entry = entry;
            this.done = done;
        }
    }

    private final Threads threads;
    private final Kind<E, O> kind;
    private final int maxEntries;
    private final long maxBytes;
    private final Supplier<O> closedOutcome;

    /**
     * Entries that were submitted. Submitting takes no lock: with hundreds of callers, most would wait for one that is
     * not running.
     */
    private final Queue<Ticket<E, O>> intake = new ConcurrentLinkedQueue<>();

    private final Queue<Gate> idle = new ConcurrentLinkedQueue<>();
    private volatile boolean closed;
    private volatile @Nullable Observer observer;

    /** Guards the fields below. */
    private final ReentrantLock lock = new ReentrantLock();

    private final ArrayDeque<Ticket<E, O>> queue = new ArrayDeque<>();
    private final PriorityQueue<Ticket<E, O>> later = new PriorityQueue<>((a, b) -> Long.compare(a.due - b.due, 0));

    /**
     * The number of different entries that were tried since an entry was applied. A new round begins when one is
     * applied.
     */
    private volatile int fruitless;

    private long fruitlessSince;
    private int round = 1;
    private long nextProbe;
    private long lastWarning;
    private boolean hasWarned;

    Batcher(
            Threads threads,
            String name,
            int writers,
            int maxEntries,
            long maxBytes,
            Kind<E, O> kind,
            Supplier<O> closedOutcome) {
        this.threads = threads;
        this.kind = kind;
        this.maxEntries = maxEntries;
        this.maxBytes = maxBytes;
        this.closedOutcome = closedOutcome;
        for (int i = 0; i < writers; i++) {
            Gate gate = threads.newGate();
            threads.startEngine(name + "-" + i, () -> write(gate));
        }
    }

    /** Notifies an observer of batches that are sent from now on. */
    void observe(Observer by) {
        observer = by;
    }

    /** Sends the entry with the next batch. {@code done} is called once, usually by a writer, and must be quick. */
    Ticket<E, O> submit(E entry, Consumer<O> done) {
        Ticket<E, O> ticket = new Ticket<>(entry, done);
        submit(ticket);
        return ticket;
    }

    private void submit(Ticket<E, O> ticket) {
        intake.add(ticket);
        Gate writer = idle.poll();
        if (writer != null) {
            writer.open();
        }
        if (closed && intake.remove(ticket)) { // otherwise close() or a writer has taken it
            ticket.done.accept(closedOutcome.get());
        }
    }

    /** Sends the entry with the next batch and waits for its outcome. */
    O submitAndWait(E entry) {
        Gate gate = threads.newGate();
        AtomicReference<@Nullable O> answer = new AtomicReference<>();
        submit(entry, outcome -> {
            answer.set(outcome);
            gate.open();
        });
        gate.pass();
        return Objects.requireNonNull(answer.get());
    }

    /**
     * Sends the entry with the next batch and waits for its outcome. If {@code atMost} expires, returns the last
     * outcome, for which the entry would have been sent again. An entry that is on its way may still take effect.
     */
    O submitAndWait(E entry, Duration atMost) {
        Gate gate = threads.newGate();
        AtomicReference<@Nullable O> answer = new AtomicReference<>();
        Ticket<E, O> ticket = new Ticket<>(entry, outcome -> {
            answer.set(outcome);
            gate.open();
        });
        submit(ticket);
        gate.pass(atMost);
        O outcome = answer.get();
        return outcome == null ? giveUp(ticket, gate, answer) : outcome;
    }

    private O giveUp(Ticket<E, O> ticket, Gate gate, AtomicReference<@Nullable O> answer) {
        O last = takeBack(ticket);
        if (last != null) {
            return last;
        }
        gate.pass(); // it is on its way, and its writer answers it or gives it up
        return Objects.requireNonNull(answer.get());
    }

    /**
     * Takes an entry back, so that it is not sent again. Returns its last outcome, or null if it is on its way or was
     * answered.
     */
    @Nullable
    O takeBack(Ticket<E, O> ticket) {
        boolean waits;
        lock.lock();
        try {
            waits = intake.remove(ticket) || queue.remove(ticket) || later.remove(ticket);
            ticket.givenUp = true;
        } finally {
            lock.unlock();
        }
        if (!waits) {
            return null;
        }
        return ticket.lastOutcome == null ? kind.failed(new TimeoutException("not sent in time")) : ticket.lastOutcome;
    }

    /**
     * Answers all entries that wait with the closed outcome. Entries that are on their way are still answered by their
     * writer.
     */
    void close() {
        List<Ticket<E, O>> left;
        lock.lock();
        try {
            closed = true;
            takeIn();
            left = new ArrayList<>(queue);
            left.addAll(later);
            queue.clear();
            later.clear();
        } finally {
            lock.unlock();
        }
        idle.forEach(Gate::open);
        left.forEach(ticket -> complete(ticket, closedOutcome.get()));
    }

    private void write(Gate gate) {
        Taken<E, O> taken = new Taken<>(List.of());
        while (!closed) {
            try {
                taken = taken.open().isEmpty() ? new Taken<>(drain(gate)) : taken;
                if (taken.open().isEmpty()) {
                    waitForWork(gate);
                } else {
                    send(taken);
                }
            } catch (RuntimeException | LinkageError | VirtualMachineError problem) {
                survive(gate, problem);
            }
        }
        taken.open().forEach(ticket -> complete(ticket, closedOutcome.get()));
    }

    /**
     * The entries that a writer has taken. The first {@code settled} of them were answered or postponed. Confined to
     * its writer.
     */
    private static final class Taken<E, O> {
        private final List<Ticket<E, O>> all;
        private int settled;

        Taken(List<Ticket<E, O>> all) {
            this.all = all;
        }

        List<Ticket<E, O>> open() {
            return all.subList(settled, all.size());
        }
    }

    private void survive(Gate gate, Throwable problem) {
        try {
            idle.remove(gate);
            LOG.error("Sending a batch failed; trying again", problem);
        } catch (RuntimeException | LinkageError | VirtualMachineError another) {
            problem.addSuppressed(another); // not even enough memory to log it
        } finally {
            gate.pass(LAST_BACK_OFF);
        }
    }

    private void waitForWork(Gate gate) {
        @Nullable Duration next = untilNextDue();
        if (next == null) {
            gate.pass();
        } else {
            gate.pass(next);
        }
        idle.remove(gate);
    }

    private @Nullable Duration untilNextDue() {
        lock.lock();
        try {
            long now = threads.nanoTime();
            if (isFruitless(now) && !(queue.isEmpty() && later.isEmpty())) {
                return Duration.ofNanos(Math.max(1, nextProbe - now));
            }
            Ticket<E, O> next = later.peek();
            return next == null ? null : Duration.ofNanos(Math.max(1, next.due - now));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the next batch. If there is none, registers the writer as idle, so that its gate is opened for the next
     * entry.
     */
    private List<Ticket<E, O>> drain(Gate gate) {
        List<Ticket<E, O>> batch = drain();
        if (batch.isEmpty()) {
            idle.add(gate);
            if (closed || !intake.isEmpty()) { // arrived before the gate was registered
                gate.open();
            }
        }
        return batch;
    }

    private List<Ticket<E, O>> drain() {
        lock.lock();
        try {
            if (closed) {
                return List.of(); // the submitting threads answer later entries
            }
            long now = threads.nanoTime();
            while (!later.isEmpty() && later.peek().due - now <= 0) {
                queue.add(later.peek());
                later.poll();
            }
            takeIn();
            if (!isFruitless(now)) {
                return take(maxEntries);
            } else if (nextProbe - now > 0) {
                return take(0);
            }
            nextProbe = now + PROBE.toNanos();
            return take(1);
        } finally {
            lock.unlock();
        }
    }

    private void takeIn() {
        for (Ticket<E, O> ticket = intake.peek(); ticket != null; ticket = intake.peek()) {
            queue.add(ticket);
            if (!intake.remove(ticket)) { // its caller has taken it back
                queue.removeLast();
            }
        }
    }

    /**
     * Takes a batch from the queue. Leaves the queue unchanged if that fails.
     *
     * @param again how many entries may be among them that were tried since an entry was applied
     */
    private List<Ticket<E, O>> take(int again) {
        List<Ticket<E, O>> batch = new ArrayList<>(Math.min(queue.size(), maxEntries));
        boolean isTaken = false;
        try {
            takeInto(batch, again);
            isTaken = true;
            return batch;
        } finally {
            for (int i = batch.size() - 1; i >= 0 && !isTaken; i--) {
                queue.addFirst(batch.get(i));
            }
        }
    }

    private void takeInto(List<Ticket<E, O>> batch, int again) {
        Set<Object> keys = new HashSet<>();
        int tried = 0;
        long bytes = 0;
        Iterator<Ticket<E, O>> tickets = queue.iterator();
        while (tickets.hasNext() && batch.size() < maxEntries && (batch.isEmpty() || bytes < maxBytes)) {
            Ticket<E, O> ticket = tickets.next();
            boolean isTried = ticket.round == round;
            if (isTried && tried >= again) {
                continue;
            }
            if (keys.add(kind.key(ticket.entry))) {
                tried += isTried ? 1 : 0;
                bytes += kind.bytes(ticket.entry);
                tickets.remove();
                batch.add(ticket);
            }
        }
    }

    private void send(Taken<E, O> taken) {
        List<Ticket<E, O>> open = taken.open();
        List<E> entries = new ArrayList<>(open.size());
        open.forEach(ticket -> entries.add(ticket.entry));
        Observer by = observer;
        List<O> outcomes = by == null ? sendAll(entries) : sendObserved(entries, by);
        for (int i = 0; i < open.size(); i++) {
            settle(taken, open.get(i), outcomes.get(i));
        }
    }

    private void settle(Taken<E, O> taken, Ticket<E, O> ticket, O outcome) {
        if (!kind.again(outcome)) {
            taken.settled++;
            applied();
            complete(ticket, outcome);
        } else if (postpone(ticket, outcome)) {
            taken.settled++;
        } else {
            O last = ticket.givenUp ? outcome : closedOutcome.get();
            taken.settled++;
            complete(ticket, last);
        }
    }

    private boolean isFruitless(long now) {
        return fruitless > 1 && now - fruitlessSince >= FRUITLESS.toNanos();
    }

    /** Ends the slow lane, because an entry was applied: all waiting entries are sent at once. */
    private void applied() {
        if (fruitless == 0) {
            return;
        }
        lock.lock();
        try {
            fruitless = 0;
            round++;
        } finally {
            lock.unlock();
        }
        idle.forEach(Gate::open);
    }

    private void countFruitless(Ticket<E, O> ticket, long now) {
        if (ticket.round != round) {
            ticket.round = round;
            int tried = fruitless + 1; // under the lock; volatile only for the check in applied()
            fruitlessSince = tried == 1 ? now : fruitlessSince;
            fruitless = tried;
            nextProbe = tried == 1 ? now : nextProbe;
        }
    }

    private List<O> sendObserved(List<E> entries, Observer by) {
        long began = threads.nanoTime();
        List<O> outcomes = sendAll(entries);
        try {
            by.sent(entries.size(), began, waiting());
        } catch (RuntimeException | LinkageError | VirtualMachineError problem) {
            LOG.error("Reporting a batch that was sent failed", problem);
        }
        return outcomes;
    }

    private int waiting() {
        lock.lock();
        try {
            return intake.size() + queue.size() + later.size();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Passes the outcome to the callback of an entry. An exception is logged, so that the other entries get their
     * outcomes too.
     */
    private static <E, O> void complete(Ticket<E, O> ticket, O outcome) {
        try {
            ticket.done.accept(outcome);
        } catch (RuntimeException | LinkageError | VirtualMachineError problem) {
            LOG.error(
                    "Processing the outcome {} of an entry failed",
                    outcome.getClass().getSimpleName(),
                    problem);
        }
    }

    private List<O> sendAll(List<E> entries) {
        try {
            List<O> outcomes = kind.send(entries);
            if (outcomes.size() != entries.size()) {
                throw new IllegalStateException("Expected " + entries.size() + " outcomes, but got " + outcomes.size());
            }
            return outcomes;
        } catch (RuntimeException | LinkageError | VirtualMachineError problem) {
            return Collections.nCopies(entries.size(), kind.failed(problem));
        }
    }

    /** Warns about an entry that is sent again and again, because it may never succeed. */
    private void warnIfOld(Ticket<E, O> ticket, O outcome) {
        long now = threads.nanoTime();
        if (ticket.lastOutcome == null) {
            ticket.firstSent = now;
        } else if (!ticket.warned && now - ticket.firstSent >= OLD.toNanos() && mayWarn(ticket, outcome, now)) {
            ticket.warned = true;
            hasWarned = true;
            lastWarning = now;
            LOG.warn(
                    "An entry of {} bytes for {} was not applied for {}; it is sent again until it is. Last outcome: {}",
                    kind.bytes(ticket.entry),
                    kind.key(ticket.entry),
                    OLD,
                    outcome);
        }
    }

    /** Returns true if a warning is allowed: at most one in {@link #OLD}, and none that repeats another report. */
    private boolean mayWarn(Ticket<E, O> ticket, O outcome, long now) {
        return (!hasWarned || now - lastWarning >= OLD.toNanos()) && !isReported(ticket, outcome, now);
    }

    /**
     * Returns true if {@link StoreWatch} has reported what holds up an entry. It reports an outage without naming an
     * entry. So if another entry was applied since this one was last sent, this one needs a line of its own.
     */
    private boolean isReported(Ticket<E, O> ticket, O outcome, long now) {
        return switch (kind.cause(outcome)) {
            case LOCKED -> isFruitless(now);
            case OUTAGE -> ticket.round == round;
            case UNREPORTED -> false;
        };
    }

    private boolean postpone(Ticket<E, O> ticket, O outcome) {
        lock.lock();
        try {
            warnIfOld(ticket, outcome);
            countFruitless(ticket, threads.nanoTime());
            ticket.lastOutcome = outcome;
            if (closed || ticket.givenUp) {
                return false;
            }
            ticket.due = threads.nanoTime() + ticket.backOff.toNanos();
            Duration doubled = ticket.backOff.multipliedBy(2);
            ticket.backOff = doubled.compareTo(LAST_BACK_OFF) < 0 ? doubled : LAST_BACK_OFF;
            later.add(ticket);
            return true;
        } finally {
            lock.unlock();
        }
    }
}
