package dev.dormouse.internal.workflow;

import dev.dormouse.ActivityOptions;
import dev.dormouse.CancellationScope;
import dev.dormouse.ChildHandle;
import dev.dormouse.ChildOptions;
import dev.dormouse.DebouncedTimer;
import dev.dormouse.Promise;
import dev.dormouse.PublishedEvent;
import dev.dormouse.Signal;
import dev.dormouse.StepAction;
import dev.dormouse.StepFunction;
import dev.dormouse.TimerPolicy;
import dev.dormouse.TransactionAction;
import dev.dormouse.TransactionFunction;
import dev.dormouse.TypeRef;
import dev.dormouse.UpdatableTimer;
import dev.dormouse.WorkflowContext;
import dev.dormouse.WorkflowInfo;
import dev.dormouse.WorkflowLock;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.CancelledException;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.event.EventDesk;
import dev.dormouse.internal.event.EventMatch;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.replay.Deadlines;
import dev.dormouse.internal.replay.OpenWait;
import dev.dormouse.internal.replay.PendingCall;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.replay.WaitEnd;
import dev.dormouse.internal.value.Arguments;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.internal.value.Payloads;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The workflow context of a run: a {@link Replay} that works with values instead of payloads. Not thread-safe: belongs
 * to the run's coroutines, which execute one at a time.
 */
public final class RunContext implements WorkflowContext {
    private final Replay run;
    private final Payloads payloads;
    private final RunSteps steps;
    private final Activities activities;
    private final Map<String, UpdatableTimer> timers = new HashMap<>();
    private final ArrayDeque<ReceivedSignal> unhandled = new ArrayDeque<>();
    private final Compensations compensations;
    private final RunEvents events;
    private final RunChildren children;
    private List<Type> parameters = List.of();

    RunContext(
            Replay run, Payloads payloads, ActivityOptions options, Activities activities, @Nullable EventDesk desk) {
        this.run = run;
        this.payloads = payloads;
        this.steps = new RunSteps(run, payloads, options, activities.dormouse());
        this.activities = activities;
        this.compensations = new Compensations(run);
        this.events = new RunEvents(run, payloads, desk);
        this.children = new RunChildren(run, payloads, this, type -> checkExecutable(type, "a child"));
    }

    /**
     * Returns the context of the run whose code calls this.
     *
     * @param what the called method, such as {@code Workflow.sleep}
     */
    public static RunContext current(String what) {
        Replay run = Replay.current();
        if (run != null && run.attached() instanceof RunContext context) {
            return context;
        }
        throw new DormouseException(
                ErrorCode.OUTSIDE_WORKFLOW,
                "Expected " + what + " to be called by workflow code, but thread '"
                        + Thread.currentThread().getName() + "' executes none. Steps and other threads cannot use it.");
    }

    /** Returns the calls that the run undoes if it fails. */
    public Compensations compensations() {
        return compensations;
    }

    /**
     * Passes signals, updates and queries to this implementation from now on, beginning with those that were received
     * before.
     */
    void open(WorkflowMethods methods, List<Type> newParameters, Object target) {
        parameters = newParameters;
        new RunMail(run, payloads, methods, target, timers, unhandled, events).open();
    }

    RunSteps steps() {
        return steps;
    }

    @Override
    public <T extends @Nullable Object> T step(String name, TypeRef<T> type, StepFunction<T> body) {
        return step(name, steps.options(), type, body);
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the codec returns the requested type, null included, or throws
    public <T extends @Nullable Object> T step(
            String name, ActivityOptions options, TypeRef<T> type, StepFunction<T> body) {
        Arguments.required(body, "the body of the step");
        return (T) steps.step(name, resultType(type), options, attempt -> body.run());
    }

    @Override
    public void step(String name, StepAction body) {
        step(name, steps.options(), body);
    }

    @Override
    public void step(String name, ActivityOptions options, StepAction body) {
        Arguments.required(body, "the body of the step");
        steps.step(name, void.class, options, attempt -> {
            body.run();
            return nothing();
        });
    }

    @Override
    public <T extends @Nullable Object> T transaction(String name, TypeRef<T> type, TransactionFunction<T> body) {
        return transaction(name, steps.options(), type, body);
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the codec returns the requested type, null included, or throws
    public <T extends @Nullable Object> T transaction(
            String name, ActivityOptions options, TypeRef<T> type, TransactionFunction<T> body) {
        Arguments.required(body, "the body of the step");
        return (T) steps.transaction(name, resultType(type), options, attempt -> body.run(attempt.connection()));
    }

    @Override
    public void transaction(String name, TransactionAction body) {
        transaction(name, steps.options(), body);
    }

    @Override
    public void transaction(String name, ActivityOptions options, TransactionAction body) {
        Arguments.required(body, "the body of the step");
        steps.transaction(name, void.class, options, attempt -> {
            body.run(attempt.connection());
            return nothing();
        });
    }

    @Override
    public <A> A activities(Class<A> type) {
        return activities(type, steps.options());
    }

    @Override
    public <A> A activities(Class<A> type, ActivityOptions options) {
        return activities(type, options, Map.of());
    }

    @Override
    public <A> A activities(Class<A> type, ActivityOptions options, Map<String, ActivityOptions> byActivity) {
        Arguments.required(type, "an interface of activities");
        Arguments.required(options, "activity options");
        Arguments.required(byActivity, "options of activities by their names");
        ActivityStub.check(type);
        return ActivityStub.of(type, options, byActivity, this, payloads, activities);
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // the codec returns the requested type, null included, or throws
    public <T extends @Nullable Object> T activity(
            String name, String activity, ActivityOptions options, TypeRef<T> token, @Nullable Object input) {
        Type type = resultType(token);
        Arguments.required(activity, "the name of an activity");
        Arguments.required(options, "activity options");
        NamedActivity here = activities.named().apply(activity);
        List<Payload> arguments = List.of(
                here != null && here.parameters().size() == 1
                        ? payloads.encode(input, here.parameters().get(0))
                        : payloads.encode(input));
        if (here == null && activities.isNowhere(activity)) {
            throw steps.unknown(activity);
        }
        if (steps.isAway(activity, options, here == null, activities.isElsewhere(activity))) {
            return (T) steps.away(name, activity, "", type, options, arguments);
        }
        if (here == null) {
            throw steps.unknown(activity);
        }
        return (T) steps.step(name, type, options, attempt -> here.call(arguments, payloads));
    }

    @Override
    public void sleep(Duration duration) {
        Arguments.required(duration, "a duration");
        run.sleep(duration);
    }

    @Override
    public void sleepUntil(Instant instant) {
        Arguments.required(instant, "an instant");
        run.sleepUntil(instant);
    }

    @Override
    public void await(Supplier<Boolean> condition) {
        Arguments.required(condition, "a condition");
        run.await((Instant) null, condition::get);
    }

    @Override
    public boolean await(Duration atMost, Supplier<Boolean> condition) {
        Arguments.required(atMost, "a duration");
        Arguments.required(condition, "a condition");
        return run.await(deadline(atMost), condition::get);
    }

    private Instant deadline(Duration atMost) {
        boolean passed = atMost.isNegative() || atMost.isZero();
        return passed ? run.now() : Deadlines.plus(run.now(), atMost);
    }

    @Override
    public boolean await(Instant deadline, Supplier<Boolean> condition) {
        Arguments.required(deadline, "an instant");
        Arguments.required(condition, "a condition");
        return run.await(deadline, condition::get);
    }

    @Override
    public void awaitHandlers() {
        run.await((Instant) null, run::isEveryHandlerFinished);
    }

    @Override
    public boolean isEveryHandlerFinished() {
        return run.isEveryHandlerFinished();
    }

    @Override
    public Optional<Signal> waitForSignal(Duration atMost) {
        return waitForSignal("", signal -> true, atMost);
    }

    @Override
    public Optional<Signal> waitForSignal(String name, Duration atMost) {
        return waitForSignal(name, signal -> signal.name().equals(name), atMost);
    }

    private Optional<Signal> waitForSignal(String name, Predicate<Signal> wanted, Duration atMost) {
        Instant deadline = deadline(Arguments.required(atMost, "a duration"));
        run.await(
                OpenWait.Kind.SIGNAL,
                name,
                WaitEnd.at(deadline),
                () -> unhandled.stream().anyMatch(wanted));
        Optional<ReceivedSignal> first = unhandled.stream().filter(wanted).findFirst();
        first.ifPresent(unhandled::remove);
        return first.map(signal -> signal);
    }

    @Override
    public Optional<PublishedEvent> waitForEvent(String event, Map<String, ?> match, Duration atMost) {
        Arguments.required(atMost, "a duration");
        Ids.checkEvent(event);
        return events.await(event, EventMatch.of(match), deadline(atMost));
    }

    @Override
    public PublishedEvent waitForEvent(String event, Map<String, ?> match) {
        Ids.checkEvent(event);
        return events.await(event, EventMatch.of(match), null).orElseThrow();
    }

    @Override
    public Promise<@Nullable Void> newTimer(Duration duration) {
        Arguments.required(duration, "a duration");
        PendingCall timer = run.timer(duration);
        if (timer == null) {
            return new RunPromise<>(run, () -> true, RunContext::nothing, () -> {});
        }
        return new RunPromise<>(
                run, timer::isOver, () -> fired(timer), () -> timer.cancel("its promise was cancelled"));
    }

    private static @Nullable Void fired(PendingCall timer) {
        String reason = timer.cancelledBecause();
        if (reason != null) {
            throw new CancelledException(reason);
        }
        return nothing();
    }

    private static @Nullable Void nothing() {
        return null;
    }

    @Override
    public UpdatableTimer newUpdatableTimer() {
        return new RunTimer(run, "", TimerPolicy.ANY);
    }

    @Override
    public UpdatableTimer newUpdatableTimer(String name, TimerPolicy policy) {
        Ids.checkName(name);
        Arguments.required(policy, "a policy");
        UpdatableTimer timer = new RunTimer(run, name, policy);
        if (timers.putIfAbsent(name, timer) != null) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected the timers of a run to have unique names, but there is already one named '" + name
                            + "'. Choose another name.");
        }
        return timer;
    }

    @Override
    public <T extends @Nullable Object> DebouncedTimer<T> newDebouncedTimer(Duration quiet, Duration limit) {
        Arguments.required(quiet, "a quiet period");
        Arguments.required(limit, "a limit");
        return new RunDebouncedTimer<>(run, quiet, limit);
    }

    @Override
    public <T extends @Nullable Object> Promise<T> async(Callable<T> body) {
        Arguments.required(body, "a body");
        return Coroutine.start(run, body);
    }

    @Override
    public Promise<@Nullable Void> async(Runnable body, Void... none) {
        Arguments.required(body, "a body");
        return Coroutine.start(run, () -> {
            body.run();
            return nothing();
        });
    }

    @Override
    public <I extends @Nullable Object, T extends @Nullable Object> List<T> parallel(
            Collection<? extends I> items, int limit, Function<? super I, ? extends T> body) {
        Arguments.required(items, "items");
        Arguments.required(body, "a body");
        return new ParallelItems<I, T>(run, items, limit, body).results();
    }

    @Override
    public WorkflowLock newLock() {
        return new RunLock(run);
    }

    @Override
    public CancellationScope newCancellationScope(Runnable body) {
        Arguments.required(body, "a body");
        return new RunScope(run, false, body);
    }

    @Override
    public CancellationScope newDetachedCancellationScope(Runnable body) {
        Arguments.required(body, "a body");
        return new RunScope(run, true, body);
    }

    @Override
    public <W> W child(Class<W> type, ChildOptions options) {
        return child(type, run.randomUuid().toString(), options);
    }

    @Override
    public <W> W externalWorkflow(Class<W> type, String workflowId) {
        Arguments.required(type, "a workflow interface");
        Ids.checkWorkflowId(workflowId);
        return ExternalStub.of(this, type, workflowId);
    }

    @Override
    public <W> W child(Class<W> type, String workflowId, ChildOptions options) {
        Arguments.required(type, "a workflow interface");
        Arguments.required(options, "options");
        return ChildStub.of(this, type, workflowId, options);
    }

    @Override
    public <R> Promise<@Nullable R> child(
            String type, String workflowId, ChildOptions options, TypeRef<R> resultType, @Nullable Object... input) {
        return children.start(options, type, workflowId, resultType(resultType), payloads.encodeAll(input), false);
    }

    @Override
    public <R> ChildHandle<@Nullable R> startChild(
            String type, String workflowId, ChildOptions options, TypeRef<R> resultType, @Nullable Object... input) {
        return children.start(options, type, workflowId, resultType(resultType), payloads.encodeAll(input), true);
    }

    @Override
    @SuppressWarnings({"unchecked", "ReturnValueIgnored"}) // the handle decodes what the call would return
    public <R extends @Nullable Object> ChildHandle<R> startChild(Supplier<R> stubCall) {
        return (ChildHandle<R>) ChildStub.capture(run, Arguments.required(stubCall, "a call of a stub")::get);
    }

    @Override
    @SuppressWarnings("unchecked") // a method without a result
    public ChildHandle<@Nullable Void> startChild(Runnable stubCall, Void... none) {
        return (ChildHandle<@Nullable Void>) ChildStub.capture(run, Arguments.required(stubCall, "a call of a stub"));
    }

    /**
     * Starts the child that a stub call describes.
     *
     * @param isReported true if the code can wait for its start
     */
    RunChild<@Nullable Object> child(
            ChildOptions options,
            WorkflowMethods methods,
            Method method,
            String workflowId,
            @Nullable Object[] input,
            boolean isReported) {
        List<Payload> encoded = payloads.encodeAll(input, methods.parameters(method));
        return children.start(options, methods.name(), workflowId, methods.result(method), encoded, isReported);
    }

    private static Type resultType(TypeRef<?> token) {
        return Arguments.required(token, "the type of the result").type();
    }

    @Override
    public void signal(String workflowId, String name, @Nullable Object... arguments) {
        signal(workflowId, name, payloads.encodeAll(arguments));
    }

    /**
     * Sends a signal.
     *
     * @param types the types of the arguments
     */
    void signal(String workflowId, String name, @Nullable Object[] arguments, List<Type> types) {
        signal(workflowId, name, payloads.encodeAll(arguments, types));
    }

    private void signal(String workflowId, String name, List<Payload> arguments) {
        Ids.checkWorkflowId(workflowId);
        Ids.checkSignal(name);
        run.send(workflowId, new Message.Signal(name, arguments));
    }

    /** Throws UNKNOWN_WORKFLOW_TYPE if no node can ever execute {@code type}. */
    private void checkExecutable(String type, String what) {
        if (!activities.executable().test(type)) {
            throw run.refuse(
                    ErrorCode.UNKNOWN_WORKFLOW_TYPE,
                    "Expected " + what + " of a registered workflow type, because no other node can use this "
                            + "store, but got '" + type
                            + "'. Register it with workflow(…), or with remoteWorkflow(…) "
                            + "if another program executes it later.");
        }
    }

    @Override
    public <R extends @Nullable Object> R continueAsNew(@Nullable Object... input) {
        throw continueAsNew(null, parameters, input);
    }

    @Override
    public <R extends @Nullable Object> R continueAsNewType(String type, @Nullable Object... input) {
        Arguments.required(type, "a workflow type");
        Ids.checkedType(type);
        throw continueAsNew(type, List.of(), input);
    }

    @Override
    public <W> W continueAsNew(Class<W> type) {
        return ContinueStub.of(this, Arguments.required(type, "a workflow interface"));
    }

    /**
     * Returns the error that unwinds the code, so that the run continues as a new one.
     *
     * @param type the type of the new run; null for that of this run
     * @param types the types of the input; empty if they are not known
     */
    Error continueAsNew(@Nullable String type, List<Type> types, @Nullable Object[] input) {
        List<Message.Signal> unread = new ArrayList<>(events.forNext());
        unhandled.forEach(signal -> unread.add(signal.message()));
        List<Payload> encoded = payloads.encodeAll(input, types);
        if (!types.isEmpty() || type == null) {
            payloads.decodeAll(encoded, types);
        }
        if (type != null) {
            checkExecutable(type, "to continue as a run");
        }
        return run.continueAsNew(type, encoded, unread);
    }

    @Override
    public Instant now() {
        return run.now();
    }

    @Override
    public UUID randomUuid() {
        return run.randomUuid();
    }

    @Override
    public int version(String change, int min, int max) {
        return run.version(change, min, max);
    }

    @Override
    public void addNote(String kind, String text) {
        Arguments.required(kind, "the kind of a mark");
        run.mark(kind, Arguments.required(text, "the text of a mark"));
    }

    @Override
    public WorkflowInfo info() {
        return RunInfo.of(run);
    }

    @Override
    public Logger logger() {
        return ReplayLogger.of(run);
    }
}
