package dev.dormouse.internal.engine.observe;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreOutage;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.internal.thread.Loop;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.StartOutcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A watch over the calls of this node to its store, which reports outages. Every call passes through {@link #over}, so
 * that no caller needs to report a failure itself. There is one log line when an outage begins and one when it has
 * ended, for each kind of {@link StoreTrouble}.
 *
 * <p>Loops and writers log nothing about an outage. Two other lines are possible after a minute:
 *
 * <ul>
 *     <li>HikariCP's, about a connection pool without a connection (see {@code EnginePool} of the PostgreSQL store).
 *     <li>That of {@code Batcher}, about one entry that is not applied although others are, or whose row is locked.
 * </ul>
 *
 * <p><b>When an outage begins.</b> An outage begins with the first failure. Special cases:
 *
 * <ul>
 *     <li>Locks are an outage only if an operation got nothing but lock timeouts for {@link #SLOW}.
 *     <li>A call that has not returned for {@link #SLOW} is an outage too.
 *     <li>Failures of interrupted callers, mistakes of the caller, and failures of a node that closes are ignored.
 * </ul>
 *
 * <p><b>When it ends.</b> An outage ends when a call was answered and nothing has failed for {@link #QUIET}. If the
 * same trouble came back within a minute, it takes {@link #QUIET_AFTER_RETURN}, so that a store that comes and goes
 * does not fill the log. A read does not end an outage of writes: except for {@link StoreTrouble#AWAY}, the answer must
 * be to an operation that had failed. Any other answer ends the outage after {@link #QUIET_AFTER_RETURN} without a
 * failure.
 *
 * <p><b>Concurrency.</b> Thread-safe. While the store is well, a call takes no lock here. The thread of the watch calls
 * the listener without a lock, so that a slow listener delays no call. It looks for slow calls only while there are
 * calls: an idle node does not wake up for it. A call that begins while the watch falls asleep opens its gate, so it is
 * not overlooked.
 *
 * <p>A component that uses a database without a {@link Store} reports its calls by {@link #began}, {@link #answered},
 * {@link #failed} and {@link #ended}.
 */
public final class StoreWatch extends Loop {
    static final Duration SLOW = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(StoreWatch.class);
    private static final Duration QUIET = Duration.ofSeconds(5);
    private static final Duration QUIET_AFTER_RETURN = Duration.ofSeconds(30);
    private static final Duration RETURN = Duration.ofMinutes(1);
    private static final Duration LOOK = Duration.ofSeconds(1);

    /** Operations that need no answer of the store, that may take long, or that use a connection of the caller. */
    private static final Set<String> UNWATCHED = Set.of(
            "shards",
            "isExclusive",
            "about",
            "startWithin",
            "currentWithin",
            "commitWithin",
            "begin",
            "list",
            "pages",
            "sqlTimers",
            "purge",
            "notify",
            "listen",
            "backup",
            "close",
            "equals",
            "hashCode",
            "toString");

    private final Threads threads;
    private final String subject;
    private final String consequence;
    private final Set<Call> underway = ConcurrentHashMap.newKeySet();
    private volatile boolean isWell = true;
    private volatile boolean asleep;
    private volatile @Nullable Listener listener;

    /** Guarded by this. */
    private final Map<StoreTrouble, Outage> open = new EnumMap<>(StoreTrouble.class);

    private final Map<StoreTrouble, Long> lastEnds = new EnumMap<>(StoreTrouble.class);
    private final Map<String, Waiting> waiting = new HashMap<>();
    private final Queue<Consumer<Listener>> pendingReports = new ConcurrentLinkedQueue<>();

    public StoreWatch(Threads threads) {
        this(
                threads,
                "The store",
                "Nothing is lost: what it has confirmed is kept, and everything else is retried until it succeeds. "
                        + "Until then, work that needs the store waits.");
    }

    /**
     * Creates a watch that does not report yet.
     *
     * @param subject the name of what is watched, such as {@code The store}
     * @param consequence one or more sentences about what happens until it is back
     */
    public StoreWatch(Threads threads, String subject, String consequence) {
        super(threads);
        this.threads = threads;
        this.subject = subject;
        this.consequence = consequence;
    }

    /** A listener that is notified of outages, on the thread of the watch. */
    public interface Listener {
        void outageBegan(StoreTrouble trouble, String reason);

        void outageEnded(StoreTrouble trouble, Duration lasted);
    }

    /** A call in progress. */
    public static final class Call {
        final String operation;
        final long began;

        Call(String operation, long began) {
            this.operation = operation;
            this.began = began;
        }
    }

    /** An operation that gets nothing but lock timeouts. */
    private static final class Waiting {
        final long since;
        long last;

        Waiting(long since) {
            this.since = since;
        }
    }

    private static final class Outage {
        final long since;
        final Duration quiet;
        final String reason;
        final Set<String> operations = new HashSet<>();
        long lastFailure;
        boolean isAnswered;
        boolean isSameAnswered;
        long answered;

        Outage(long since, Duration quiet, String reason) {
            this.since = since;
            this.quiet = quiet;
            this.reason = reason;
        }

        void failed(String operation, long now) {
            operations.add(operation);
            lastFailure = now;
            isAnswered = false;
            isSameAnswered = false;
        }

        void answered(boolean isSame, long now) {
            if (!isAnswered || (isSame && !isSameAnswered)) {
                answered = now;
            }
            isAnswered = true;
            isSameAnswered |= isSame;
        }

        boolean isOver(long now) {
            Duration enough = isSameAnswered ? quiet : QUIET_AFTER_RETURN;
            return isAnswered && now - lastFailure >= enough.toNanos();
        }
    }

    /** Returns a proxy of the store whose calls are watched. */
    public Store over(Store store) {
        return (Store) Proxy.newProxyInstance(
                StoreWatch.class.getClassLoader(),
                new Class<?>[] {Store.class},
                (proxy, method, arguments) -> UNWATCHED.contains(method.getName())
                        ? call(store, method, arguments)
                        : watched(store, method, arguments));
    }

    private static @Nullable Object call(Store store, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }

    private @Nullable Object watched(Store store, Method method, Object @Nullable [] arguments) throws Throwable {
        Call call = began(method.getName());
        try {
            Object answer = call(store, method, arguments);
            if (!(answer instanceof List<?> outcomes) || isProgress(call.operation, outcomes)) {
                answered(call);
            }
            return answer;
        } catch (StoreException problem) {
            failed(call, problem);
            throw problem;
        } finally {
            ended(call);
        }
    }

    /** Registers a call that begins. The caller must report {@link #ended} too, even if the call fails. */
    public Call began(String operation) {
        Call call = new Call(operation, threads.nanoTime());
        underway.add(call);
        if (asleep) {
            asleep = false;
            wake();
        }
        return call;
    }

    /** Unregisters a call that has ended, with or without an answer. */
    public void ended(Call call) {
        underway.remove(call);
    }

    /** Reports that a call was answered. */
    public void answered(Call call) {
        if (!isWell) {
            progress(call.operation);
        }
    }

    /** Reports that a call has failed. Mistakes of the caller are not outages. */
    public void failed(Call call, StoreException problem) {
        failed(call.operation, problem);
    }

    /**
     * Reports the failures among the outcomes of a batch. Returns true if an outcome is not a failure, or there are
     * none.
     */
    private boolean isProgress(String operation, List<?> outcomes) {
        boolean isProgress = outcomes.isEmpty();
        boolean isLocked = false;
        StoreException problem = null;
        for (Object outcome : outcomes) {
            StoreException failed = problem(outcome);
            boolean locked = isLocked(outcome);
            problem = failed == null ? problem : failed;
            isLocked |= locked;
            isProgress |= failed == null && !locked;
        }
        if (problem != null) {
            failed(operation, problem);
        } else if (isLocked && !isProgress) {
            blocked(operation, "another session holds a lock that operation '" + operation + "' waits for");
        }
        return isProgress;
    }

    /** Returns the failure of the store that an outcome contains; null if it has none. */
    private static @Nullable StoreException problem(Object outcome) {
        if (outcome instanceof StartOutcome.Unknown start) {
            return start.cause();
        } else if (outcome instanceof CommitOutcome.Unknown commit) {
            return commit.cause();
        } else if (outcome instanceof DeliverOutcome.Unknown delivery) {
            return delivery.cause();
        }
        StoreException refused = refusal(outcome);
        return refused != null && refused.code() == ErrorCode.STORE_FILE_REPLACED ? refused : null;
    }

    /**
     * Returns the reason why a store refuses an entry, which is mostly the entry's own fault; null if the store does
     * not refuse it.
     */
    private static @Nullable StoreException refusal(Object outcome) {
        if (outcome instanceof StartOutcome.Rejected start) {
            return start.reason();
        } else if (outcome instanceof CommitOutcome.Rejected commit) {
            return commit.reason();
        }
        return outcome instanceof DeliverOutcome.Rejected delivery ? delivery.reason() : null;
    }

    private static boolean isLocked(Object outcome) {
        return outcome instanceof StartOutcome.Locked
                || outcome instanceof CommitOutcome.Locked
                || outcome instanceof DeliverOutcome.Locked;
    }

    private void failed(String operation, StoreException problem) {
        if (Thread.currentThread().isInterrupted() || !isOutage(problem)) {
            return;
        }
        String reason = String.valueOf(problem.getMessage());
        if (problem.trouble() == StoreTrouble.BLOCKED) {
            blocked(operation, reason);
        } else {
            trouble(problem.trouble(), operation, threads.nanoTime(), reason);
        }
    }

    /**
     * Returns true if the watch reports such a failure as an outage. It does not report mistakes of the caller, and
     * failures because this node closes.
     */
    public static boolean isOutage(StoreException problem) {
        return switch (problem.code()) {
            case STORE_UNAVAILABLE,
                    STORE_FAILED,
                    STORE_UNSUITABLE,
                    STORE_FILE_REPLACED,
                    SCHEMA_MISSING,
                    SCHEMA_DAMAGED -> true;
            default -> false;
        };
    }

    private synchronized void blocked(String operation, String reason) {
        isWell = false;
        long now = threads.nanoTime();
        Waiting one = waiting.computeIfAbsent(operation, any -> new Waiting(now));
        one.last = now;
        if (now - one.since >= SLOW.toNanos()) {
            trouble(StoreTrouble.BLOCKED, operation, one.since, reason);
        }
    }

    private synchronized void trouble(StoreTrouble trouble, String operation, long since, String reason) {
        if (isClosed()) {
            return;
        }
        isWell = false;
        Outage outage = open.get(trouble);
        if (outage == null && listener != null) {
            long now = threads.nanoTime();
            Long last = lastEnds.get(trouble);
            boolean isReturn = last != null && now - last < RETURN.toNanos();
            outage = new Outage(since, isReturn ? QUIET_AFTER_RETURN : QUIET, reason);
            open.put(trouble, outage);
            begins(trouble, reason);
            wake();
        }
        if (outage != null) {
            outage.failed(operation, threads.nanoTime());
        }
    }

    private void begins(StoreTrouble trouble, String reason) {
        if (trouble != StoreTrouble.REPLACED) { // the store itself has logged an ERROR for it
            LOG.warn("{} {}. {} Reason: {}", subject, trouble.begins(), consequence, reason);
        }
        pendingReports.add(by -> by.outageBegan(trouble, reason));
    }

    private synchronized void progress(String operation) {
        waiting.remove(operation);
        long now = threads.nanoTime();
        open.forEach((trouble, outage) ->
                outage.answered(trouble == StoreTrouble.AWAY || outage.operations.contains(operation), now));
        isWell = open.isEmpty() && waiting.isEmpty();
    }

    /** Starts to report outages to the log only. */
    public void begin() {
        begin(new Listener() {
            @Override
            public void outageBegan(StoreTrouble trouble, String reason) {}

            @Override
            public void outageEnded(StoreTrouble trouble, Duration lasted) {}
        });
    }

    /**
     * Starts to report outages to the log and to a listener. Failures while a node opens are thrown to its caller
     * instead.
     */
    public void begin(Listener by) {
        listener = by;
        start("store watch");
    }

    @Override
    protected void turn() {
        asleep = true; // before the check for calls: a call that begins from now on wakes the loop
        if (isWell && underway.isEmpty()) {
            await();
        } else {
            asleep = false;
            await(LOOK);
            look();
            notifyListener();
        }
    }

    private void notifyListener() {
        Listener by = listener;
        for (Consumer<Listener> one = pendingReports.poll(); one != null && by != null; one = pendingReports.poll()) {
            one.accept(by);
        }
    }

    private synchronized void look() {
        long now = threads.nanoTime();
        boolean isSlow = lookForSlowCall(now);
        waiting.values().removeIf(one -> now - one.last > QUIET.toNanos());
        Map.copyOf(open).forEach((trouble, outage) -> {
            if (!isSlow && outage.isOver(now)) {
                open.remove(trouble);
                ends(trouble, Duration.ofNanos(outage.answered - outage.since), now);
            }
        });
        isWell = open.isEmpty() && waiting.isEmpty();
    }

    /**
     * Reports a call that has not returned as slow, unless another outage explains it. Returns true if there is a slow
     * call.
     */
    private boolean lookForSlowCall(long now) {
        for (Call call : underway) {
            if (now - call.began >= SLOW.toNanos()) {
                if (open.isEmpty() || open.containsKey(StoreTrouble.BLOCKED)) {
                    String reason =
                            "operation '" + call.operation + "' has not returned for " + SLOW.toSeconds() + " s";
                    trouble(StoreTrouble.BLOCKED, call.operation, call.began, reason);
                }
                return true;
            }
        }
        return false;
    }

    private void ends(StoreTrouble trouble, Duration lasted, long now) {
        lastEnds.put(trouble, now);
        LOG.info("{} {}, after {} s.", subject, trouble.ends(), lasted.toMillis() / 1000.0);
        pendingReports.add(by -> by.outageEnded(trouble, lasted));
    }

    /** Returns the outages that have not ended. */
    public synchronized List<StoreOutage> outages() {
        long now = threads.nanoTime();
        lookForSlowCall(now);
        List<StoreOutage> all = new ArrayList<>();
        open.forEach((trouble, outage) ->
                all.add(new StoreOutage(trouble, Duration.ofNanos(now - outage.since), outage.reason)));
        return all;
    }
}
