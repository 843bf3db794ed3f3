package dev.dormouse.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.Blocked;
import dev.dormouse.engine.CodeMismatch;
import dev.dormouse.engine.Deadline;
import dev.dormouse.engine.Evicted;
import dev.dormouse.engine.Session;
import dev.dormouse.engine.StepCall;
import dev.dormouse.engine.Threads;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.history.Failure;
import dev.dormouse.store.Mail;
import dev.dormouse.store.Micros;
import dev.dormouse.store.RunRow;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One run's code, brought to life by its history. Live is replay: the code is given one input after the other and runs
 * until it blocks, the recorded inputs first and then those that the session comes up with. What the code asks for on
 * the way must be what is recorded; the first difference stops it.
 *
 * <p>Has no clock and does no I/O. Belongs to the run's coroutines, of which one runs at a time.
 */
public final class Replay {
    private static final ThreadLocal<@Nullable Replay> CURRENT = new ThreadLocal<>();

    private final Session session;
    private final boolean takesMail;
    private final Recorded recorded;
    private final Fibers fibers;
    private final SplittableRandom random;
    private final Event.RunStarted started;
    private final TreeMap<Integer, Pending> open = new TreeMap<>();
    private final List<Event> commands = new ArrayList<>();
    private final TreeMap<Integer, StepCall> wanted = new TreeMap<>();
    private final ArrayDeque<Mail> mail = new ArrayDeque<>();
    private @Nullable Consumer<Mail> mailHandler;
    private Instant now;
    private int calls;
    private boolean readOnly;
    private @Nullable Object context;

    Replay(Session session, Threads threads, boolean takesMail) {
        this.session = session;
        this.takesMail = takesMail;
        this.recorded = new Recorded(session.recorded());
        this.started = recorded.started();
        this.now = started.at();
        this.fibers = new Fibers(threads, this::takeInput);
        UUID id = session.run().runId();
        this.random = new SplittableRandom(id.getMostSignificantBits() * 31 + id.getLeastSignificantBits());
    }

    /** The run whose code the calling thread executes; null outside of workflow code. */
    public static @Nullable Replay current() {
        return CURRENT.get();
    }

    void execute(Program program) {
        CURRENT.set(this);
        try {
            recorded.prelude().forEach(this::apply);
            finish(runMain(program));
        } finally {
            CURRENT.remove();
            fibers.unwind(new Evicted());
        }
    }

    private Function<Instant, Event> runMain(Program program) {
        try {
            Payload result = program.run(this);
            fibers.checkStopped();
            return at -> new Event.RunCompleted(at, result);
        } catch (Exception problem) {
            fibers.checkStopped(); // whatever unwinding code comes up with does not count
            Failure failure = Failure.of(problem);
            return at -> new Event.RunFailed(at, failure);
        } catch (Error problem) {
            fibers.checkStopped();
            throw problem;
        }
    }

    /** The code has ended; what comes in before the run is closed is still taken by its handlers. */
    private void finish(Function<Instant, Event> closing) {
        fibers.settle();
        while (recorded.hasNext()) {
            if (recorded.peek().isClosing()) {
                return;
            }
            apply(recorded.nextInput(
                    "the workflow has ended: " + closing.apply(now).summary()));
            fibers.settle();
        }
        Event input = session.close(takeCommands(), closing);
        while (input != null) {
            apply(input);
            fibers.settle();
            input = session.close(takeCommands(), closing);
        }
    }

    /** Something that the program keeps with its run. */
    public void attach(Object newContext) {
        context = newContext;
    }

    public @Nullable Object attached() {
        return context;
    }

    // ---- what the code may ask for

    /** The stamped time of the last event. */
    public Instant now() {
        return now;
    }

    public RunRow run() {
        return session.run();
    }

    public Event.RunStarted started() {
        return started;
    }

    /** Whether the code goes through what it has been through before. */
    public boolean isReplaying() {
        return recorded.hasNext();
    }

    public UUID randomUuid() {
        enter("randomUuid");
        long high = random.nextLong() & ~0xF000L | 0x4000L;
        long low = random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    public Payload step(String name, StepCall.Body body) {
        enter("step '" + name + "'");
        checkName("step", name);
        int call = calls++;
        check(call, "step '" + name + "'", event -> isStep(event, name));
        Pending.Step step = new Pending.Step(call, name);
        open.put(call, step);
        wanted.put(call, new StepCall(call, name, () -> outside(body)));
        fibers.block(step::isOver);
        open.remove(call);
        return step.outcome();
    }

    private static boolean isStep(Event event, String name) {
        return event instanceof Event.StepCompleted done && done.name().equals(name)
                || event instanceof Event.StepFailed failed && failed.name().equals(name);
    }

    /** Runs a step's body, which is not workflow code, even where it runs on the same thread. */
    private static Payload outside(StepCall.Body body) throws Exception {
        Replay saved = CURRENT.get();
        CURRENT.remove();
        try {
            return body.run();
        } finally {
            CURRENT.set(saved);
        }
    }

    /** Sleeps for so long from now; zero and less return at once. */
    public void sleep(Duration duration) {
        enter("sleep");
        if (!duration.isNegative() && !duration.isZero()) {
            plus(now, duration); // the same in every replay: too long is too long
            sleep(from -> latest(from, duration));
        }
    }

    /** Sleeps until an instant; one that has passed returns at once. */
    public void sleepUntil(Instant instant) {
        enter("sleepUntil");
        if (instant.isAfter(now)) {
            Instant deadline = Micros.roundUp(instant);
            sleep(from -> deadline);
        }
    }

    private void sleep(UnaryOperator<Instant> deadline) {
        Pending.Timer timer = new Pending.Timer(calls, schedule(calls++, deadline));
        open.put(timer.call, timer);
        fibers.block(timer::isOver);
        open.remove(timer.call);
    }

    private Instant schedule(int call, UnaryOperator<Instant> deadline) {
        check(call, "a sleep", event -> event instanceof Event.TimerScheduled);
        if (recorded.hasNext()) {
            return reschedule(call);
        }
        Instant stamp = session.stamp();
        Instant at = stamp.isAfter(now) ? stamp : now;
        Event.TimerScheduled timer = new Event.TimerScheduled(at, call, deadline.apply(at));
        commands.add(timer);
        now = at;
        return timer.deadline();
    }

    private Instant reschedule(int call) {
        try {
            Event.TimerScheduled timer = recorded.nextTimer(call);
            now = timer.at();
            return timer.deadline();
        } catch (CodeMismatch mismatch) {
            throw stop(mismatch);
        }
    }

    /** The instant so long after another, or the last that a store can hold. */
    private static Instant latest(Instant from, Duration duration) {
        try {
            return plus(from, duration);
        } catch (DormouseException justTooFar) {
            return Micros.MAX;
        }
    }

    /** The instant so long after another; an error where no store can hold it. */
    public static Instant plus(Instant from, Duration duration) {
        try {
            return Micros.roundUp(from.plus(duration));
        } catch (ArithmeticException | DateTimeException | DormouseException tooFar) {
            throw new DormouseException(
                    ErrorCode.INSTANT_OUT_OF_RANGE,
                    "Expected a duration that ends before " + Micros.MAX + ", but got " + duration
                            + ". Use a shorter one, or wait without a deadline.",
                    tooFar);
        }
    }

    /**
     * Waits until a condition holds.
     *
     * @param deadline when to give up, null for never
     * @return false when the time was up first
     */
    public boolean await(@Nullable Instant deadline, BooleanSupplier condition) {
        enter("await");
        if (test(condition)) {
            return true;
        }
        if (deadline != null && !deadline.isAfter(now)) {
            return false;
        }
        int call = calls++;
        check(call, "a wait", event -> event instanceof Event.WaitTimedOut);
        Pending.Wait wait = new Pending.Wait(call, deadline == null ? null : Micros.roundUp(deadline));
        open.put(call, wait);
        fibers.block(() -> wait.isOver() || test(condition));
        open.remove(call);
        return !wait.isOver();
    }

    private boolean test(BooleanSupplier condition) {
        boolean before = readOnly;
        readOnly = true;
        try {
            return condition.getAsBoolean();
        } finally {
            readOnly = before;
        }
    }

    /** The version of a change that this run goes by. */
    public int version(String change, int min, int max) {
        enter("version '" + change + "'");
        checkName("change", change);
        Integer known = recorded.version(change);
        int version = known != null ? known : recorded.hasNext() ? min : max;
        if (known == null) {
            recorded.remember(change, version);
            if (!recorded.hasNext()) {
                commands.add(new Event.VersionMarked(now, change, version));
            }
        }
        if (version < min || version > max) {
            throw stop(new CodeMismatch("Expected version " + version + " of change '" + change
                    + "', by which run " + run().runId() + " began, but the code at " + SourceLine.ofCaller()
                    + " knows only " + min + " to " + max + ". Deploy code that still knows it."));
        }
        return version;
    }

    /** Adds a coroutine. */
    public void async(String name, Runnable body) {
        enter("async");
        try {
            fibers.add(name, () -> {
                CURRENT.set(this);
                try {
                    body.run();
                } finally {
                    CURRENT.remove();
                }
            });
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            fibers.stop(noThread); // not the workflow's fault: it is tried again
            throw noThread;
        }
    }

    /** Hands all mail to this, in order: what is there, and what comes. It must not block. */
    public void onMail(Consumer<Mail> handler) {
        mailHandler = handler;
        while (!mail.isEmpty()) {
            handler.accept(mail.remove());
        }
    }

    private void enter(String what) {
        if (CURRENT.get() != this) {
            throw new DormouseException(
                    ErrorCode.OUTSIDE_WORKFLOW,
                    "Expected " + what + " to be called by the workflow's own code, but thread '"
                            + Thread.currentThread().getName()
                            + "' executes none of it. Steps, other threads and ended runs cannot use it.");
        }
        fibers.checkStopped();
        if (readOnly) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected code that only looks at the workflow's fields, but it calls " + what + " at "
                            + SourceLine.ofCaller() + ". Call it outside of the condition or query.");
        }
    }

    /** A name must come back from the store as it was. */
    private static void checkName(String what, String name) {
        if (!isWhole(name)) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected the name of a " + what + " to be whole characters, but it holds half of one "
                            + "(a lone surrogate). Choose another name.");
        }
    }

    /** Whether a text has no halves of characters. */
    public static boolean isWhole(String text) {
        return text.codePoints()
                .noneMatch(point -> point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE);
    }

    private void check(int call, String what, Predicate<Event> matches) {
        try {
            recorded.checkCall(call, what, matches);
        } catch (CodeMismatch mismatch) {
            throw stop(mismatch);
        }
    }

    /** Stops the run, whose code cannot go on here, but may on a node with other code. */
    public CodeMismatch refuse(ErrorCode code, String message) {
        return stop(new CodeMismatch(code, message));
    }

    private CodeMismatch stop(CodeMismatch mismatch) {
        fibers.stop(mismatch);
        return mismatch;
    }

    // ---- inputs

    private void takeInput() {
        try {
            apply(recorded.hasNext() ? recorded.nextInput(waitingFor()) : session.next(blocked()));
        } catch (RuntimeException | Error end) {
            fibers.stop(end);
            throw end;
        }
    }

    private Blocked blocked() {
        Deadline earliest = earliest();
        boolean alone = fibers.isAlone() && earliest == null && !takesMail;
        Blocked blocked = new Blocked(takeCommands(), List.copyOf(wanted.values()), earliest, alone);
        wanted.clear();
        return blocked;
    }

    private List<Event> takeCommands() {
        List<Event> taken = List.copyOf(commands);
        commands.clear();
        return taken;
    }

    private @Nullable Deadline earliest() {
        Deadline earliest = null;
        for (Pending pending : open.values()) {
            Instant at = pending.deadline();
            if (at != null && !pending.isOver() && (earliest == null || at.isBefore(earliest.at()))) {
                earliest = new Deadline(at, pending.call, pending instanceof Pending.Timer);
            }
        }
        return earliest;
    }

    private void apply(Event event) {
        now = event.at();
        if (event instanceof Event.StepCompleted done) {
            wanted.remove(done.call());
            pending(done.call(), Pending.Step.class, event).complete(done.result());
        } else if (event instanceof Event.StepFailed failed) {
            wanted.remove(failed.call());
            pending(failed.call(), Pending.Step.class, event).fail(failed.failure());
        } else if (event instanceof Event.TimerFired fired) {
            pending(fired.call(), Pending.Timer.class, event).end();
        } else if (event instanceof Event.WaitTimedOut out) {
            pending(out.call(), Pending.Wait.class, event).end();
        } else if (event instanceof Event.MailReceived received) {
            received.items().forEach(this::take);
        } else if (event.isClosing()) {
            throw new Evicted(); // ended from outside: there is nothing more to see
        }
    }

    private void take(Mail item) {
        if (mailHandler == null) {
            mail.add(item);
        } else {
            mailHandler.accept(item);
        }
    }

    private <T extends Pending> T pending(int call, Class<T> kind, Event event) {
        Pending pending = open.get(call);
        if (!kind.isInstance(pending) || pending.isOver()) {
            throw recorded.mismatch(event, waitingFor());
        }
        return kind.cast(pending);
    }

    private String waitingFor() {
        return "the code waits at " + SourceLine.ofCaller();
    }
}
