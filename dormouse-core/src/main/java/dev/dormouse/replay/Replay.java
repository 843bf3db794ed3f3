package dev.dormouse.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.Blocked;
import dev.dormouse.engine.CodeMismatch;
import dev.dormouse.engine.Deadline;
import dev.dormouse.engine.Ending;
import dev.dormouse.engine.Evicted;
import dev.dormouse.engine.LogLabels;
import dev.dormouse.engine.Session;
import dev.dormouse.engine.StepCall;
import dev.dormouse.engine.StepPolicy;
import dev.dormouse.engine.Threads;
import dev.dormouse.error.CanceledFailure;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.history.Failure;
import dev.dormouse.history.FailureTexts;
import dev.dormouse.history.Message;
import dev.dormouse.history.ParentClose;
import dev.dormouse.store.Mail;
import dev.dormouse.store.Queued;
import dev.dormouse.store.RunRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run's code, brought to life by its history. Live is replay: the code is given one input after the other and runs
 * until it blocks, the recorded inputs first and then those that the session comes up with. What the code asks for on
 * the way must be what is recorded; the first difference stops it.
 *
 * <p>Has no clock and does no I/O. Belongs to the run's coroutines, of which one runs at a time.
 */
public final class Replay {
    private static final Logger LOG = LoggerFactory.getLogger(Replay.class);
    static final ThreadLocal<@Nullable Replay> CURRENT = new ThreadLocal<>();

    private final Session session;
    private final boolean takesMail;
    private final FailureTexts texts;
    private final Recorded recorded;
    private final Ledger ledger;
    private final Fibers fibers;
    private final Handlers handlers;
    private final Mailroom mailroom = new Mailroom();
    private final LookOnly lookOnly = new LookOnly();
    private final LooseEnds looseEnds = new LooseEnds();
    private final SplittableRandom random;
    private final Event.RunStarted started;
    private final RunInput input;
    private final OpenCalls calls;
    private final Waits waits;
    private final @Nullable Query query;
    private boolean live;
    private boolean endedTooLate;
    private Query.@Nullable Reader queryReader;
    private @Nullable Object context;

    /** @param query to be answered when all that is recorded was replayed; null where the run is to go on from there */
    Replay(Session session, Threads threads, boolean takesMail, FailureTexts texts, @Nullable Query query) {
        this.session = session;
        this.takesMail = takesMail;
        this.texts = texts;
        this.query = query;
        this.recorded = new Recorded(session.recorded());
        this.started = recorded.started();
        this.input = new RunInput(started);
        this.fibers = new Fibers(threads, this::takeInput, session);
        this.ledger = new Ledger(session, recorded, fibers::stop);
        this.handlers = new Handlers(fibers, task -> newFiber("mail", task));
        this.calls = new OpenCalls(session.run().runId(), recorded::mismatch, this::post, this::made);
        this.waits = new Waits(fibers, ledger, calls, lookOnly);
        UUID id = started.identity(session.run().runId());
        this.random = new SplittableRandom(id.getMostSignificantBits() * 31 + id.getLeastSignificantBits());
    }

    /** The run whose code the calling thread executes; null outside of workflow code. */
    public static @Nullable Replay current() {
        return CURRENT.get();
    }

    void execute(Program program) {
        CURRENT.set(this);
        try {
            mailroom.startWith(started.origin().mail());
            recorded.prelude().forEach(this::applyEarly);
            input.begin(recorded.hasBegun());
            live = !recorded.hasNext() && !session.hasRun();
            finish(runMain(program));
        } finally {
            CURRENT.remove();
            Thread.interrupted(); // whatever the code has left behind
            fibers.unwind(new Evicted());
        }
    }

    private Ending runMain(Program program) {
        Ending ending = MainCode.run(fibers, texts, () -> {
            Callable<Payload> main = program.prepare(this);
            if (query != null && !recorded.hasBegun()) {
                answer(query);
            }
            return main.call();
        });
        endedTooLate = mailroom.hasTakenLateMail();
        return ending;
    }

    /** The code has ended; what comes in before the run is closed is still taken by its handlers. */
    private void finish(Ending ending) {
        fibers.settle();
        while (recorded.hasNext() || !mailroom.isEmpty()) {
            if (mailroom.isEmpty() && recorded.peek() instanceof Event.UpdateAnswered) {
                recorded.skip(); // given by the end of the run
            } else if (mailroom.isEmpty() && recorded.peek().isClosing()) {
                break;
            } else {
                applyNext(() -> "the workflow has ended: " + ending);
                fibers.settle();
            }
        }
        if (query != null) {
            answer(query);
        }
        if (!recorded.hasNext()) {
            close(ending);
        } else if (!ending.isThatOf(recorded.peek())) {
            throw recorded.mismatch(recorded.peek(), "the workflow has ended: " + ending);
        }
    }

    /** Code that came to its end only by mail of after the run's deadline came to it too late. */
    private void close(Ending codeEnded) {
        Ending ending = endedTooLate ? new Ending.TimedOut() : codeEnded;
        for (Event more = tryToClose(ending); more != null; more = tryToClose(ending)) {
            apply(more);
            fibers.settle();
        }
        looseEnds.log(this, ending, calls.neverBegun());
    }

    /** Returns what to add to a log line about a mistake in the code, or null if there were enough of them lately. */
    public @Nullable String mayLog() {
        return session.mayLog();
    }

    public LooseEnds looseEnds() {
        return looseEnds;
    }

    private @Nullable Event tryToClose(Ending ending) {
        Event more = outside(() -> session.close(ledger.takeCommands(), mailroom.unanswered(), input.again(), ending));
        String note = more == null && handlers.open() > 0 && !(ending instanceof Ending.TimedOut) ? mayLog() : null;
        if (note != null) {
            LOG.warn(
                    "Run {} of workflow id '{}' has ended, but {} of its signal and update handlers had not returned. "
                            + "What they had left to do is not done. Let the workflow wait for them: "
                            + "Workflow.await(Workflow::isEveryHandlerFinished).{}",
                    run().runId(),
                    run().workflowId(),
                    handlers.open(),
                    note);
        }
        return more;
    }

    private void answer(Query asked) {
        lookOnly.forGood();
        asked.answer(queryReader);
        Evicted end = new Evicted();
        fibers.stop(end);
        throw end;
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
        checkThread("now");
        lookOnly.noteClock();
        return ledger.now();
    }

    public RunRow run() {
        return session.run();
    }

    /** What the workflow method gets. */
    public List<Payload> input() {
        return input.get();
    }

    public Event.RunStarted started() {
        return started;
    }

    /** Whether the code goes through what it has been through before. */
    public boolean isReplaying() {
        return query != null || !live;
    }

    public UUID randomUuid() {
        enter("randomUuid");
        long high = random.nextLong() & ~0xF000L | 0x4000L;
        long low = random.nextLong() & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    /**
     * Executes a step and waits for its end.
     *
     * @param inTransaction whether its rows and its result are committed together
     */
    public StepResult step(String name, StepPolicy policy, boolean inTransaction, StepCall.Body body) {
        enter("step '" + name + "'");
        Names.check("step", name);
        fibers.checkScope();
        int call = ledger.nextCall();
        ledger.check(call, "step '" + name + "'", event -> Recorded.isStep(event, name));
        StepCall.Body outside = new StepBody(body, texts);
        Pending.Step step = calls.step(
                new StepCall(call, name, policy, inTransaction, isDetached(), outside, StepCall.Standing.NEW));
        try {
            waits.block(step::isOver);
        } catch (CanceledFailure canceled) {
            calls.abandon(step);
            throw canceled;
        }
        calls.remove(step);
        return step.outcome();
    }

    private boolean isDetached() {
        return !fibers.scope().isWithin(fibers.root());
    }

    /** Sleeps for so long from now; zero and less return at once. */
    public void sleep(Duration duration) {
        enterScope("sleep");
        waits.sleep(duration);
    }

    /** Sleeps until an instant; one that has passed returns at once. */
    public void sleepUntil(Instant instant) {
        enterScope("sleepUntil");
        waits.sleepUntil(instant);
    }

    /** Sets a timer that fires so long from now; null for one that has no need to. */
    public @Nullable PendingCall timer(Duration duration) {
        enterScope("newTimer");
        return duration.isNegative() || duration.isZero() ? null : new TimerCall(this, calls, waits.timer(duration));
    }

    /**
     * Waits until a condition holds.
     *
     * @param deadline when to give up, null for never
     * @return false when the time was up first
     */
    public boolean await(@Nullable Instant deadline, BooleanSupplier condition) {
        enterScope("await");
        return waits.await(deadline, condition);
    }

    /**
     * The same with a deadline that may move while it waits.
     *
     * @param name what it waits for, for who looks from outside
     */
    public boolean await(OpenWait.Kind kind, String name, WaitEnd end, BooleanSupplier condition) {
        enterScope("await");
        return waits.await(kind, name, end, false, condition);
    }

    /** Returns true if every handler of a signal or update that has begun has returned. */
    public boolean isEveryHandlerFinished() {
        checkThread("isEveryHandlerFinished");
        return handlers.open() == 0;
    }

    /** What the code has called and waits for, in the order in which it did. */
    public List<OpenWait> waits() {
        return calls.describe();
    }

    /** Moves the end of one of {@link #waits}, because somebody outside of the run asks for it. */
    public void moveWait(int call, Instant to, String reason) {
        enter("moveWait");
        calls.move(call, to, reason);
    }

    private Pending.Made made() {
        return new Pending.Made(ledger.now(), query == null ? "" : SourceLine.ofCaller());
    }

    /** Waits until this holds; for what needs no deadline and leaves no trace. */
    public void until(BooleanSupplier ready) {
        enter("a wait");
        waits.until(ready);
    }

    /** Whether this holds, found out without a call that would change anything. */
    public <T extends @Nullable Object> T lookOnly(Callable<T> question) throws Exception {
        return lookOnly.ask(question);
    }

    /** The version of a change that this run goes by. */
    public int version(String change, int min, int max) {
        enter("version '" + change + "'");
        Names.check("change", change);
        int version = ledger.version(change, min, max);
        if (version < min || version > max) {
            throw ledger.stop(new CodeMismatch("Expected version " + version + " of change '" + change
                    + "', by which run " + run().runId() + " began, but the code at " + SourceLine.ofCaller()
                    + " knows only " + min + " to " + max + ". Deploy code that still knows it."));
        }
        return version;
    }

    /** Writes a line into the history, for whoever reads it. */
    public void mark(String kind, String text) {
        enter("mark '" + kind + "'");
        Names.check("mark", kind);
        ledger.mark(kind, text);
    }

    /** Fails where the code may not change anything, or is not workflow code. */
    public void checkMayAct(String what) {
        enter(what);
    }

    /** Adds a coroutine, in a scope of its own within that of the caller. */
    public Scope async(String name, Runnable body) {
        enter("async");
        Scope scope = new Scope(fibers.scope());
        newFiber(name, () -> within(scope, body));
        return scope;
    }

    private void newFiber(String name, Runnable body) {
        try {
            fibers.add(name, LogLabels.around(run(), () -> {
                CURRENT.set(this);
                try {
                    body.run();
                } finally {
                    CURRENT.remove();
                }
            }));
        } catch (RejectedExecutionException | OutOfMemoryError noThread) {
            fibers.stop(noThread); // not the workflow's fault: it is tried again
            throw noThread;
        }
    }

    /** A scope within that of the caller, or one that nothing else cancels. */
    public Scope newScope(boolean detached) {
        enter("a scope");
        return new Scope(detached ? null : fibers.scope());
    }

    /** Runs code in a scope. */
    public void within(Scope scope, Runnable body) {
        Scope before = fibers.scope();
        fibers.enter(scope);
        try {
            body.run();
        } finally {
            fibers.enter(before);
        }
    }

    /** Cancels a scope: what waits in it is woken, and children that were started in it are asked to end. */
    public void cancel(Scope scope, String reason) {
        enter("cancel");
        cancelAll(scope, reason);
    }

    private void cancelAll(Scope scope, String reason) {
        if (!scope.isCancelled()) {
            scope.cancel(reason);
            calls.cancelAll(scope, reason);
        }
    }

    /** Asks for a child. */
    public PendingCall child(
            String workflowId, String type, List<Payload> input, ParentClose parentClose, @Nullable Queued queued) {
        enterScope("child '" + workflowId + "'");
        int call = ledger.nextCall();
        ledger.check(call, "child '" + workflowId + "'", event -> Recorded.isChild(event, workflowId, type));
        Event.ChildRequested asked = ledger.command(
                Event.ChildRequested.class,
                event -> event.call() == call,
                "starts a child",
                () -> new Event.ChildRequested(
                        ledger.now(), call, workflowId, session.newRunId(), type, input, parentClose, queued));
        Pending.Child child = calls.child(asked, fibers.scope(), parentClose == ParentClose.ABANDON);
        return new ChildCall(this, calls, child);
    }

    /** Whether the next call is recorded as a child, or as something else; null where nothing tells, and it may be both. */
    public @Nullable Boolean isNextCallAChild() {
        Event first = recorded.firstOf(ledger.calls());
        if (first != null) {
            return first instanceof Event.ChildRequested;
        }
        return recorded.hasNext() ? Boolean.FALSE : null; // what is asked for now would stand before what is recorded
    }

    /** Whether somebody is alive who executes runs of this type. */
    public boolean isServed(String type) {
        return session.isServed(type);
    }

    /** Sends something to another workflow id. */
    public void send(String workflowId, Message message) {
        enter("signal");
        post(workflowId, message);
    }

    private void post(String workflowId, Message message) {
        ledger.command(
                Event.MailSent.class,
                sent -> sent.workflowId().equals(workflowId) && sent.message().kind() == message.kind(),
                "sends mail to '" + workflowId + "'",
                () -> new Event.MailSent(ledger.now(), session.newRunId(), workflowId, message));
    }

    /**
     * Goes on as a new run. Never returns.
     *
     * @param unread signals that nobody has read, for the new run
     */
    public void continueAsNew(List<Payload> newInput, List<Message.Signal> unread) {
        enter("continueAsNew");
        if (!fibers.isFirst()) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected continueAsNew to be called by the workflow method itself, but it is called by a handler "
                            + "or another coroutine at " + SourceLine.ofCaller() + ". Set a field and await it there.");
        }
        throw new ContinuedAsNew(newInput, input.left(run().runId(), ledger.now(), unread));
    }

    /** Hands signals and updates to this from now on, in order; each is handled by a coroutine of its own. */
    public void onMail(Consumer<Letter> reader) {
        for (Letter letter : mailroom.open(letter -> handlers.handle(() -> reader.accept(letter)))) {
            boolean[] begun = {false};
            handlers.handle(() -> {
                begun[0] = true;
                reader.accept(letter);
            });
            fibers.block(() -> begun[0]);
        }
    }

    /** Answers queries by this from now on. */
    public void onQuery(Query.Reader reader) {
        queryReader = reader;
    }

    /** Answers an update. */
    public void answer(long position, boolean rejected, Payload result, @Nullable Failure failure) {
        fibers.checkStopped();
        mailroom.answered(position);
        ledger.command(
                Event.UpdateAnswered.class,
                event -> event.position() == position,
                "answers an update",
                () -> new Event.UpdateAnswered(ledger.now(), position, rejected, result, failure));
    }

    /** Whether an update may be answered by a failure: nothing is recorded from here on, or that it was. */
    public boolean mayRefuse(long position) {
        return !recorded.hasNext()
                || recorded.peek() instanceof Event.UpdateAnswered answer
                        && answer.position() == position
                        && answer.failure() != null;
    }

    /** For what a cancelled scope no longer does. */
    private void enterScope(String what) {
        enter(what);
        fibers.checkScope();
    }

    private void enter(String what) {
        checkThread(what);
        fibers.checkStopped();
        if (lookOnly.isOn()) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected code that only looks at the workflow's fields, but it calls " + what + " at "
                            + SourceLine.ofCaller() + ". Call it outside of the condition, query or validator.");
        }
    }

    private void checkThread(String what) {
        if (CURRENT.get() != this) {
            throw new DormouseException(
                    ErrorCode.OUTSIDE_WORKFLOW,
                    "Expected " + what + " to be called by the workflow's own code, but thread '"
                            + Thread.currentThread().getName()
                            + "' executes none of it. Steps, other threads and ended runs cannot use it.");
        }
    }

    /** Stops the run, whose code cannot go on here, but may on a node with other code. */
    public CodeMismatch refuse(ErrorCode code, String message) {
        return ledger.stop(new CodeMismatch(code, message));
    }

    // ---- inputs

    private void takeInput() {
        try {
            if (query != null && !recorded.hasNext() && mailroom.isEmpty()) {
                answer(query);
            }
            applyNext(() -> "the code waits at " + SourceLine.ofCaller());
        } catch (RuntimeException | Error end) {
            fibers.stop(end);
            throw end;
        }
    }

    /** Applies one input: an item of mail that came with others, a recorded event, or whatever comes in now. */
    private void applyNext(Supplier<String> instead) {
        if (!mailroom.isEmpty()) {
            receive(mailroom.next());
        } else {
            apply(recorded.hasNext() ? recorded.nextInput(instead) : liveInput());
        }
    }

    /** From here on everything happens for the first time: what is recorded was committed after its consequences. */
    private Event liveInput() {
        live = true;
        return outside(() -> session.next(blocked()));
    }

    /** Runs what is not workflow code, and must not be hit by its interrupt flag: steps, commits, monitors. */
    private <T extends @Nullable Object> T outside(Supplier<T> body) {
        CURRENT.remove();
        Thread.interrupted();
        try {
            return body.get();
        } finally {
            CURRENT.set(this);
        }
    }

    private Blocked blocked() {
        Deadline earliest = calls.earliest();
        boolean alone = fibers.isAlone() && earliest == null && !takesMail;
        return new Blocked(
                ledger.takeCommands(), calls.takeWanted(), calls.takeAbandoned(), calls.takeSettled(), earliest, alone);
    }

    /** What is there before the first line runs waits for code that handles it. */
    private void applyEarly(Event event) {
        if (event instanceof Event.MailReceived received) {
            received.items().forEach(this::receive);
        }
        ledger.advanceTo(event.at());
    }

    private void apply(Event event) {
        if (event instanceof Event.MailReceived received) {
            mailroom.add(received.items());
            receive(mailroom.next());
            return;
        }
        ledger.advanceTo(event.at());
        calls.apply(event);
        if (event.isClosing()) {
            if (query != null) {
                answer(query);
            } else if (!event.isFromOutside()) {
                throw recorded.mismatch(event, "the code waits at " + SourceLine.ofCaller());
            }
            throw new Evicted(); // there is nothing more to see
        }
    }

    /** Mail happens when it is accepted, however much later it is read. */
    private void receive(Mail item) {
        ledger.advanceTo(item.acceptedAt());
        if (mailroom.isKnown(item)) {
            return;
        }
        mailroom.note(item, started.deadline());
        Letter letter = Mailroom.letter(item);
        if (letter.message() instanceof Message.Cancel cancel) {
            if (cancel.runId() == null || cancel.runId().equals(started.chain(run().runId()))) {
                cancelAll(fibers.root(), cancel.reason());
            }
        } else if (letter.message() instanceof Message.ChildEnded ended) {
            calls.childEnded(started.own(run().runId(), ended));
        } else if (letter.message() instanceof Message.StepEnded ended) {
            calls.stepEnded(ended);
        } else if (letter.message() instanceof Message.StartedAgain again) {
            input.startedAgain(again.input());
        } else {
            mailroom.hand(letter);
        }
    }
}
