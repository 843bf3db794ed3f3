package dev.dormouse.internal.replay;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.observe.LogLabels;
import dev.dormouse.internal.history.ChildStart;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.FailureTexts;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.ParentClose;
import dev.dormouse.internal.run.Blocked;
import dev.dormouse.internal.run.CodeMismatch;
import dev.dormouse.internal.run.Deadline;
import dev.dormouse.internal.run.Ending;
import dev.dormouse.internal.run.Evicted;
import dev.dormouse.internal.run.Session;
import dev.dormouse.internal.run.StepCall;
import dev.dormouse.internal.run.StepPolicy;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.Queued;
import dev.dormouse.store.run.RunRow;
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
 * An execution of one run's workflow code, driven by its history. Live execution is replay that has reached the end of
 * the history: in both cases the code gets one input after another, and runs until it blocks. Recorded inputs come
 * first, then those of the {@link Session}.
 *
 * <p><b>Guarantees</b>: in every replay the code gets the same inputs in the same order. It sees the same time, which
 * is the timestamp of the last event, and the same random numbers, which are seeded by the run's identity. Its
 * coroutines run in the same order. So deterministic code makes the same calls again and reaches the same state. Replay
 * itself reads no clock and does no I/O: steps are executed, and commands are committed, by the session.
 *
 * <p><b>Coroutines, commands and events</b>:
 *
 * <ol>
 *   <li>A coroutine ({@link Fiber}) calls a method of this class. The call gets the next number, over all coroutines
 *       ({@link Ledger}).
 *   <li>If the call must be remembered before it ends (a timer, a child, a message, an answer), it is a command. While
 *       events are recorded, the next one must be this command. After that, the command is collected for the next
 *       commit.
 *   <li>The call becomes an open call ({@link OpenCalls}), and the coroutine blocks. {@link Fibers} gives the turn to
 *       the next coroutine.
 *   <li>If no coroutine can continue, the next input is applied: a received message, a recorded event, or an event
 *       from {@link Session#next}, which gets the commands and the requested steps. The input ends an open call or
 *       starts a message handler. The coroutines whose conditions hold continue.
 * </ol>
 *
 * <p><b>Code mismatch</b>: the code does not repeat what is recorded. There are five cases:
 *
 * <ul>
 *   <li>a call differs from the recorded call with its number, for example a step with another name,
 *   <li>the code requests a command other than the recorded one, or waits where a command is recorded,
 *   <li>an input belongs to no open call,
 *   <li>the code ends in another way than recorded,
 *   <li>the recorded version of a change is outside of the range that the code supports.
 * </ul>
 *
 * <p>A mismatch stops all coroutines with a {@link CodeMismatch}, even if the code catches it. The
 * session may still commit what the code did before; messages that it took last stay in the inbox. The run then waits for
 * a node with matching code. Other classes refuse a run in the same way, for example for a recorded value that the code
 * cannot read. Marks may change freely.
 *
 * <p><b>Queries</b>: a query replays the history under a {@link QuerySession}. It is answered when everything recorded
 * is applied, by code that may only read fields ({@link ReadOnlyGuard}).
 *
 * <p><b>Concurrency</b>: an instance belongs to the run's coroutines, of which one runs at a time; see {@link Fibers}
 * for why that needs no locks. A call from any other thread fails with OUTSIDE_WORKFLOW.
 */
public final class Replay {
    private static final Logger LOG = LoggerFactory.getLogger(Replay.class);
    static final ThreadLocal<@Nullable Replay> CURRENT = new ThreadLocal<>();

    private final Session session;
    private final boolean takesMail;
    private final FailureTexts texts;
    private final RecordedCalls recorded;
    private final Ledger ledger;
    private final Fibers fibers;
    private final Handlers handlers;
    private final PendingMessages messages = new PendingMessages();
    private final ReadOnlyGuard readOnlyGuard = new ReadOnlyGuard();
    private final UnawaitedWork unawaitedWork = new UnawaitedWork();
    private final SplittableRandom random;
    private final Event.RunStarted started;
    private final RunInput input;
    private final OpenCalls calls;
    private final CodeWaits waits;
    private final @Nullable Query query;
    private boolean live;
    private boolean endedTooLate;
    private int inputs;
    private Query.@Nullable Reader queryReader;
    private @Nullable Object context;

    /** @param query the query to answer when everything recorded was replayed; null to continue the run from there */
    Replay(Session session, Threads threads, boolean takesMail, FailureTexts texts, @Nullable Query query) {
        this.session = session;
        this.takesMail = takesMail;
        this.texts = texts;
        this.query = query;
        this.recorded = new RecordedCalls(session.recorded());
        this.started = recorded.started();
        this.input = new RunInput(started);
        this.fibers = new Fibers(threads, this::takeInput, session);
        this.ledger = new Ledger(session, recorded, fibers::stop);
        this.handlers = new Handlers(fibers, task -> newFiber("mail", task));
        this.calls = new OpenCalls(session.run().runId(), recorded::mismatch, this::post, this::made);
        this.waits = new CodeWaits(fibers, ledger, calls, readOnlyGuard);
        UUID id = started.identity(session.run().runId());
        this.random = new SplittableRandom(id.getMostSignificantBits() * 31 + id.getLeastSignificantBits());
    }

    /** Returns the replay whose code the calling thread executes; null outside of workflow code. */
    public static @Nullable Replay current() {
        return CURRENT.get();
    }

    void execute(Program program) {
        CURRENT.set(this);
        try {
            messages.startWith(started.origin().mail());
            recorded.prelude().forEach(this::applyEarly);
            input.begin(recorded.hasBegun());
            finish(runMain(program));
        } finally {
            CURRENT.remove();
            Thread.interrupted(); // may be left by the code
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
        endedTooLate = messages.hasTakenLateMail();
        return ending;
    }

    /**
     * Closes the run after the code has ended. Handlers still process the inputs that arrive before the run is closed.
     */
    private void finish(Ending ending) {
        fibers.settle();
        while (recorded.hasNext() || !messages.isEmpty()) {
            if (messages.isEmpty() && recorded.peek() instanceof Event.UpdateAnswered) {
                recorded.skip(); // given by the end of the run
            } else if (messages.isEmpty() && recorded.peek().isClosing()) {
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

    /**
     * Closes the run. If the code ended only because of mail that arrived after the run's deadline, the run has timed
     * out.
     */
    private void close(Ending codeEnded) {
        Ending ending = endedTooLate ? new Ending.TimedOut() : codeEnded;
        for (Event more = tryToClose(ending); more != null; more = tryToClose(ending)) {
            apply(more);
            fibers.settle();
        }
        unawaitedWork.log(this, ending, calls.neverBegun());
    }

    /**
     * Returns the text to append to a log line about a mistake in the code, or null if enough such lines were logged
     * recently.
     */
    public @Nullable String mayLog() {
        return session.mayLog();
    }

    public UnawaitedWork unawaitedWork() {
        return unawaitedWork;
    }

    private @Nullable Event tryToClose(Ending ending) {
        Event more = outside(() -> session.close(ledger.takeCommands(), messages.unanswered(), input.again(), ending));
        live = true;
        String note = more == null && handlers.open() > 0 && !(ending instanceof Ending.TimedOut) ? mayLog() : null;
        if (note != null) {
            LOG.warn(
                    "Run {} of workflow id '{}' has ended, but {} of its signal and update handlers had not returned. "
                            + "The rest of their work is not done. Let the workflow wait for them: "
                            + "Workflow.awaitHandlers().{}",
                    run().runId(),
                    run().workflowId(),
                    handlers.open(),
                    note);
        }
        return more;
    }

    private void answer(Query asked) {
        readOnlyGuard.forGood();
        asked.answer(queryReader);
        Evicted end = new Evicted();
        fibers.stop(end);
        throw end;
    }

    /** Attaches an object that the program keeps with its run. */
    public void attach(Object newContext) {
        context = newContext;
    }

    public @Nullable Object attached() {
        return context;
    }

    // ---- calls of workflow code

    /** Returns the run's time: the timestamp of the last event. */
    public Instant now() {
        checkThread("now");
        readOnlyGuard.noteClock();
        return ledger.now();
    }

    public RunRow run() {
        return session.run();
    }

    /** Returns the arguments of the workflow method. */
    public List<Payload> input() {
        return input.get();
    }

    public Event.RunStarted started() {
        return started;
    }

    /**
     * Returns the number of calls that the code has made and of inputs that it has received. A replay counts the same,
     * which the number of recorded events would not: a takeover, for example, records an event that the code does not see.
     */
    public int historyLength() {
        return ledger.calls() + inputs;
    }

    /** Returns true if the code repeats what it has done before. */
    public boolean isReplaying() {
        return query != null || !isLive();
    }

    /** Returns true if the code executes for the first time: after a live input, or in the run's first execution. */
    private boolean isLive() {
        return live || !recorded.hasNext() && !session.hasRun();
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
     * @param inTransaction true to commit the step's rows and its result together
     * @throws StepFailure if the last attempt failed
     * @throws CancelledException if the scope was cancelled first
     */
    public StepResult step(String name, StepPolicy policy, boolean inTransaction, StepCall.Body body) {
        return step(name, policy, inTransaction, false, body);
    }

    /**
     * Executes a step and waits for its end.
     *
     * @param inTransaction true to commit the step's rows and its result together
     * @param waitsForCancellation true to wait for the step's end even if the scope is cancelled first. A result is then
     *     returned. A failure contains the cancellation ({@link StepFailure#cancelled}).
     * @throws StepFailure if the last attempt failed
     * @throws CancelledException if the scope was cancelled first, or if that has ended the step
     */
    public StepResult step(
            String name, StepPolicy policy, boolean inTransaction, boolean waitsForCancellation, StepCall.Body body) {
        enter("step '" + name + "'");
        RecordedNames.check("step", name);
        fibers.checkScope();
        int call = ledger.nextCall();
        ledger.check(call, "step '" + name + "'", event -> RecordedCalls.isStep(event, name));
        StepCall.Body outside = new StepBody(body, texts);
        Pending.Step step = calls.step(new StepCall(
                call, name, policy, inTransaction, isDetached(), waitsForCancellation, outside, StepCall.Standing.NEW));
        try {
            waits.block(step::isOver);
        } catch (CancelledException cancelled) {
            if (waitsForCancellation) {
                return awaitCancelled(step, cancelled);
            }
            calls.abandon(step);
            throw cancelled;
        }
        calls.remove(step);
        return step.outcome();
    }

    private StepResult awaitCancelled(Pending.Step step, CancelledException cancelled) {
        calls.cancel(step);
        fibers.block(step::isOver);
        calls.remove(step);
        try {
            return step.outcome();
        } catch (StepFailure failed) {
            throw failed.after(cancelled);
        }
    }

    private boolean isDetached() {
        return !fibers.scope().isWithin(fibers.root());
    }

    /** Sleeps for {@code duration}. Returns immediately if it is zero or negative. */
    public void sleep(Duration duration) {
        enterScope("sleep");
        waits.sleep(duration);
    }

    /** Sleeps until {@code instant}. Returns immediately if it has passed. */
    public void sleepUntil(Instant instant) {
        enterScope("sleepUntil");
        waits.sleepUntil(instant);
    }

    /**
     * Sets a timer that fires {@code duration} from now. Returns null if the duration is zero or negative, because no
     * timer is needed.
     */
    public @Nullable PendingCall timer(Duration duration) {
        enterScope("newTimer");
        return duration.isNegative() || duration.isZero() ? null : new TimerCall(this, calls, waits.timer(duration));
    }

    /**
     * Waits until a condition holds.
     *
     * @param deadline when to give up, null for never
     * @return false if the deadline came first
     */
    public boolean await(@Nullable Instant deadline, BooleanSupplier condition) {
        enterScope("await");
        return waits.await(deadline, condition);
    }

    /**
     * Waits until a condition holds, with a deadline that may move during the wait.
     *
     * @param name the subject of the wait, for readers outside of the run
     * @return false if the deadline came first
     */
    public boolean await(OpenWait.Kind kind, String name, WaitEnd end, BooleanSupplier condition) {
        enterScope("await");
        return waits.await(kind, name, end, false, condition);
    }

    /** Waits until {@code ready} holds, even if the scope is cancelled. */
    public void untilEvenIfCancelled(BooleanSupplier ready) {
        enter("a wait");
        fibers.block(ready);
    }

    /** Returns true if every handler of a signal or update that has begun has returned. */
    public boolean isEveryHandlerFinished() {
        checkThread("isEveryHandlerFinished");
        return handlers.open() == 0;
    }

    /** Returns the open calls of the code, in the order in which it made them. */
    public List<OpenWait> waits() {
        return calls.describe();
    }

    /** Moves the end of one of {@link #waits}, because a caller outside of the run requests it. */
    public void moveWait(int call, Instant to, String reason) {
        enter("moveWait");
        calls.move(call, to, reason);
    }

    private Pending.Made made() {
        return new Pending.Made(ledger.now(), query == null ? "" : SourceLine.ofCaller());
    }

    /** Waits until {@code ready} holds, without a deadline and without a trace in the history. */
    public void until(BooleanSupplier ready) {
        enter("a wait");
        waits.until(ready);
    }

    /** Returns the result of {@code question}, during which calls that would change anything are refused. */
    public <T extends @Nullable Object> T readOnlyGuard(Callable<T> question) throws Exception {
        return readOnlyGuard.ask(question);
    }

    /** Returns the version of a change for this run. */
    public int version(String change, int min, int max) {
        enter("version '" + change + "'");
        RecordedNames.check("change", change);
        int version = ledger.version(change, min, max, isLive());
        if (version < min || version > max) {
            throw ledger.stop(new CodeMismatch("Expected version " + version + " of change '" + change
                    + "', by which run " + run().runId() + " began, but the code at " + SourceLine.ofCaller()
                    + " supports only " + min + " to " + max + ". Deploy code that still supports it."));
        }
        return version;
    }

    /** Adds a line to the history for its readers. */
    public void mark(String kind, String text) {
        enter("mark '" + kind + "'");
        RecordedNames.check("mark", kind);
        ledger.mark(kind, text);
    }

    /** Throws if the code must not change anything here, or if the caller is not workflow code. */
    public void checkMayAct(String what) {
        enter(what);
    }

    /** Adds a coroutine, in its own scope within that of the caller. */
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
            fibers.stop(noThread); // not the workflow's fault: the run is tried again
            throw noThread;
        }
    }

    /** Creates a scope within that of the caller, or a detached one, which is not cancelled with any other. */
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

    /** Cancels a scope. Coroutines that wait in it are woken, and children that were started in it are asked to end. */
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

    /** Requests a child that is started in the plain way. Does not wait for it. */
    public PendingChild child(
            String workflowId, String type, List<Payload> input, ParentClose parentClose, @Nullable Queued queued) {
        return child(workflowId, type, input, parentClose, queued, null, null);
    }

    /**
     * Requests a child. Does not wait for it.
     *
     * @param queued the child's place in a queue; null if it is not in a queue
     * @param start the settings for its start; null for the plain ones
     * @param delay how long after the request it starts, in addition to {@code start}; null for at once
     */
    public PendingChild child(
            String workflowId,
            String type,
            List<Payload> input,
            ParentClose parentClose,
            @Nullable Queued queued,
            @Nullable ChildStart start,
            @Nullable Duration delay) {
        enterScope("child '" + workflowId + "'");
        int call = ledger.nextCall();
        ledger.check(call, "child '" + workflowId + "'", event -> RecordedCalls.isChild(event, workflowId, type));
        Event.ChildRequested asked = ledger.command(
                Event.ChildRequested.class,
                event -> event.call() == call,
                "starts a child",
                () -> new Event.ChildRequested(
                        ledger.now(),
                        call,
                        workflowId,
                        session.newRunId(),
                        type,
                        input,
                        parentClose,
                        queued,
                        start == null || delay == null ? start : start.at(Deadlines.atMost(ledger.stamp(), delay))));
        Pending.Child child = calls.child(asked, fibers.scope(), parentClose == ParentClose.ABANDON);
        return new ChildCall(this, calls, child);
    }

    /**
     * Returns how the next call is recorded, for code that may use a child or a step:
     *
     * <ul>
     *   <li>true: as a child,
     *   <li>false: as something else. This is also the result if the call is not recorded but later events are, because
     *       a child would come before them,
     *   <li>null: nothing more is recorded, so that the caller may choose.
     * </ul>
     */
    public @Nullable Boolean isNextCallAChild() {
        Event first = recorded.firstOf(ledger.calls());
        if (first != null) {
            return first instanceof Event.ChildRequested;
        }
        return recorded.hasNext() ? Boolean.FALSE : null; // a child would be recorded before the next recorded event
    }

    /** Returns true if a live node executes runs of this type. */
    public boolean isServed(String type) {
        return session.isServed(type);
    }

    /** Sends a message to another workflow id. */
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
     * Returns the error that unwinds the code, so that the run continues as a new one.
     *
     * @param newType the workflow type of the new run; null for that of this run
     * @param unread signals that no code has read, for the new run
     * @throws DormouseException NOT_ALLOWED_HERE if it is not called by the workflow method itself
     */
    public Error continueAsNew(@Nullable String newType, List<Payload> newInput, List<Message.Signal> unread) {
        enter("continueAsNew");
        if (!fibers.isFirst()) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected continueAsNew to be called by the workflow method itself, but it is called by a handler "
                            + "or another coroutine at " + SourceLine.ofCaller() + ". Set a field and await it there.");
        }
        return new ContinuedAsNew(newType, newInput, input.left(run().runId(), ledger.now(), unread));
    }

    /**
     * Sets the reader of signals and updates. It gets them in order, each in its own coroutine. Returns when the reader
     * has begun to handle the messages that arrived before.
     */
    public void onMail(Consumer<ReceivedMessage> reader) {
        for (ReceivedMessage received : messages.open(received -> handlers.handle(() -> reader.accept(received)))) {
            boolean[] begun = {false};
            handlers.handle(() -> {
                begun[0] = true;
                reader.accept(received);
            });
            fibers.block(() -> begun[0]);
        }
    }

    /** Sets the reader that answers queries. */
    public void onQuery(Query.Reader reader) {
        queryReader = reader;
    }

    /** Answers an update. */
    public void answer(long position, boolean rejected, Payload result, @Nullable Failure failure) {
        fibers.checkStopped();
        messages.answered(position);
        ledger.command(
                Event.UpdateAnswered.class,
                event -> event.position() == position,
                "answers an update",
                () -> new Event.UpdateAnswered(ledger.now(), position, rejected, result, failure));
    }

    /**
     * Returns true if an update may be answered with a failure: nothing more is recorded, or the next recorded event is
     * such an answer.
     */
    public boolean mayRefuse(long position) {
        return !recorded.hasNext()
                || recorded.peek() instanceof Event.UpdateAnswered answer
                        && answer.position() == position
                        && answer.failure() != null;
    }

    /** Checks a call that a cancelled scope must not make. */
    private void enterScope(String what) {
        enter(what);
        fibers.checkScope();
    }

    private void enter(String what) {
        checkThread(what);
        fibers.checkStopped();
        if (readOnlyGuard.isOn()) {
            throw new DormouseException(
                    ErrorCode.NOT_ALLOWED_HERE,
                    "Expected code that only reads the workflow's fields, but it calls " + what + " at "
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

    /**
     * Stops the run, which cannot continue here but may continue on a node with other code. Returns the exception to
     * throw.
     */
    public CodeMismatch refuse(ErrorCode code, String message) {
        return ledger.stop(new CodeMismatch(code, message));
    }

    // ---- inputs

    private void takeInput() {
        try {
            if (query != null && !recorded.hasNext() && messages.isEmpty()) {
                answer(query);
            }
            applyNext(() -> "the code waits at " + SourceLine.ofCaller());
        } catch (RuntimeException | Error end) {
            fibers.stop(end);
            throw end;
        }
    }

    /** Applies one input: the next received message, a recorded event, or a live input. */
    private void applyNext(Supplier<String> instead) {
        if (!messages.isEmpty()) {
            receive(messages.next());
        } else {
            apply(recorded.hasNext() ? recorded.nextInput(instead) : liveInput());
        }
    }

    /**
     * Waits for a live input. From here on everything happens for the first time, because a recorded input was
     * committed after its consequences.
     */
    private Event liveInput() {
        live = true;
        return outside(() -> session.next(blocked()));
    }

    /**
     * Runs code that is not workflow code (steps, commits, monitors) without the interrupt flag that workflow code may
     * have set.
     */
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
                ledger.takeCommands(),
                calls.takeWanted(),
                calls.takeAbandoned(),
                calls.cancelled(),
                calls.takeSettled(),
                earliest,
                alone);
    }

    /** Applies an event before the first line runs. Messages wait for code that handles them. */
    private void applyEarly(Event event) {
        if (event instanceof Event.MailReceived received) {
            received.items().forEach(this::receive);
        }
        ledger.advanceTo(event.at());
    }

    private void apply(Event event) {
        if (event instanceof Event.MailReceived received) {
            messages.add(received.items());
            receive(messages.next());
            return;
        }
        inputs++;
        ledger.advanceTo(event.at());
        calls.apply(event);
        if (event.isClosing()) {
            if (query != null) {
                answer(query);
            } else if (!event.isFromOutside()) {
                throw recorded.mismatch(event, "the code waits at " + SourceLine.ofCaller());
            }
            throw new Evicted(); // the history ends here
        }
    }

    /** Applies a message. The run's time becomes that of its acceptance, however much later it is read. */
    private void receive(InboxMessage message) {
        inputs++;
        ledger.advanceTo(message.acceptedAt());
        if (messages.isKnown(message)) {
            return;
        }
        messages.note(message, started.deadline());
        ReceivedMessage received = PendingMessages.decode(message);
        if (received.message() instanceof Message.Cancel cancel) {
            if (cancel.runId() == null || cancel.runId().equals(started.chain(run().runId()))) {
                cancelAll(fibers.root(), cancel.reason());
            }
        } else if (received.message() instanceof Message.ChildEnded ended) {
            calls.childEnded(started.own(run().runId(), ended), message.key().endsWith(Message.NOT_STARTED));
        } else if (received.message() instanceof Message.ChildStarted begun) {
            calls.childStarted(started.own(run().runId(), begun));
        } else if (received.message() instanceof Message.StepEnded ended) {
            calls.stepEnded(ended);
        } else if (received.message() instanceof Message.StartedAgain again) {
            input.startedAgain(again.input());
        } else {
            messages.hand(received);
        }
    }
}
