package dev.dormouse;

import dev.dormouse.store.StoreOutage;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Durable workflows inside your program, on a database you already have. Thread-safe; open one per process and store,
 * and close it when the process ends: running code is given time, then other nodes go on at once.
 *
 * <pre>{@code
 * try (Dormouse dormouse = Dormouse.builder()
 *         .store("sqlite:trial.db")
 *         .workflow(Trial.class, TrialWorkflow::new)
 *         .activities(Mail.class, new SmtpMail())
 *         .open()) {
 *   Trial trial = dormouse.workflow(Trial.class, "trial-ada");
 *   WorkflowHandle<String> handle = dormouse.start(() -> trial.run("ada"));
 *   handle.result();
 * }
 * }</pre>
 *
 * <p>Not for workflow code, which is run again after every longer wait: what it calls here would be repeated. There, all
 * methods except those that make stubs fail with NOT_ALLOWED_HERE, and so do those of handles, timers and schedules; use
 * {@link Workflow}. Steps, activities and handlers of timers may call everything. Steps in a transaction may only read, and
 * call {@link #within}.
 */
public interface Dormouse extends AutoCloseable {

    static DormouseBuilder builder() {
        return new DormouseBuilder();
    }

    /** A stub for a workflow id. Calling its workflow method starts a run, or finds the one there is, and waits. */
    <W> W workflow(Class<W> type, String workflowId);

    /** The same, with options for the start. */
    <W> W workflow(Class<W> type, String workflowId, StartOptions options);

    /**
     * Starts the run that this one call of a stub describes, without waiting for its result. Where the workflow id has a
     * run already, open or closed, that is returned, also if its input was another; {@link StartOptions#idReuse} decides
     * otherwise for closed ones.
     */
    <R extends @Nullable Object> WorkflowHandle<R> start(Supplier<R> stubCall);

    /** The same for a workflow method without a result. */
    WorkflowHandle<Void> start(Runnable stubCall);

    /** Starts a workflow by the name of its type; the same holds for its id. */
    default <R> WorkflowHandle<R> start(
            String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
        return start(StartOptions.DEFAULT, type, workflowId, TypeRef.of(resultType), input);
    }

    /** Starts a workflow by the name of its type, with a result that has type parameters. */
    default <R> WorkflowHandle<R> start(
            String type, String workflowId, TypeRef<R> resultType, @Nullable Object... input) {
        return start(StartOptions.DEFAULT, type, workflowId, resultType, input);
    }

    /** The same, with options. */
    default <R> WorkflowHandle<R> start(
            StartOptions options, String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
        return start(options, type, workflowId, TypeRef.of(resultType), input);
    }

    /** Starts a workflow by the name of its type, with options and a result that has type parameters. */
    <R> WorkflowHandle<R> start(
            StartOptions options, String type, String workflowId, TypeRef<R> resultType, @Nullable Object... input);

    /**
     * Completes an activity that has handed out this token by {@link Activity#completeLater}. Works once.
     *
     * @throws dev.dormouse.error.DormouseException BAD_TOKEN for what is no token, TOKEN_USED when the activity is over
     */
    void completeActivity(String token, @Nullable Object result);

    /** Fails an activity that has handed out this token: it is tried again as its policy says. Works once. */
    void failActivity(String token, Throwable problem);

    /**
     * Starts the run that the first call of a stub describes, and sends it the signal that the second call of the same
     * stub describes. A new run has the signal before its first line; where there is an open run, that gets it. After
     * a closed one that the options do not replace: RUN_CLOSED.
     */
    <R extends @Nullable Object> WorkflowHandle<R> signalWithStart(Supplier<R> startCall, Runnable signalCall);

    /** The same by names. */
    default <R> WorkflowHandle<R> signalWithStart(
            StartOptions options,
            String type,
            String workflowId,
            Class<R> resultType,
            List<?> input,
            String signal,
            @Nullable Object... arguments) {
        return signalWithStart(options, type, workflowId, TypeRef.of(resultType), input, signal, arguments);
    }

    /** Starts a workflow and sends it a signal by names, with a result that has type parameters. */
    <R> WorkflowHandle<R> signalWithStart(
            StartOptions options,
            String type,
            String workflowId,
            TypeRef<R> resultType,
            List<?> input,
            String signal,
            @Nullable Object... arguments);

    /** The latest run of a workflow id, if it has one. */
    default <R> Optional<WorkflowHandle<R>> find(String workflowId, Class<R> resultType) {
        return find(workflowId, TypeRef.of(resultType));
    }

    /** Returns the latest run of a workflow id, if it has one, with a result that has type parameters. */
    <R> Optional<WorkflowHandle<R>> find(String workflowId, TypeRef<R> resultType);

    /** A run of a workflow id, also an earlier one, if there is such a run. */
    default <R> Optional<WorkflowHandle<R>> find(String workflowId, UUID runId, Class<R> resultType) {
        return find(workflowId, runId, TypeRef.of(resultType));
    }

    /** Returns a run of a workflow id, also an earlier one, with a result that has type parameters. */
    <R> Optional<WorkflowHandle<R>> find(String workflowId, UUID runId, TypeRef<R> resultType);

    /**
     * Publishes an event: every run that waits for it gets it, see {@link WorkflowContext#waitForEvent}, also those that
     * begin to wait within the next minute. Returns when the store has accepted it; from then on it arrives whatever
     * crashes.
     *
     * @param event its name
     * @param payload what it tells; those who wait can ask for single values in it, of which there may be 1,000
     * @return its id
     */
    String publish(String event, @Nullable Object payload);

    /** The same under a key: publishing it again under the same key is harmless, for as long as closed runs are kept. */
    String publishOnce(String key, String event, @Nullable Object payload);

    /** Timers without a workflow. */
    Timers timers();

    /** Timers that were set in SQL. */
    TimersInSql timersInSql();

    /** Schedules that start workflows or call handlers of timers again and again. */
    Schedules schedules();

    /** How it goes, of all nodes together: what a dashboard shows. */
    Pulse pulse();

    /**
     * Returns the outages of the store that this node sees now: none while all is well. Asks nothing of the store, so that
     * it answers at once, for health checks.
     */
    List<StoreOutage> outages();

    /** Starts within a transaction of your own; see {@link Within}. */
    Within within(Connection connection);

    /** Runs, newest first, or by workflow id where a prefix is asked for. Never counts or scans a whole table. */
    RunList list(ListOptions options);

    /** What this node is, and what it has. */
    NodeProfile profile();

    /** The store's clock, as far as this node knows it: asks nobody. */
    Instant now();

    /** Writes a consistent copy of the store to a new file while it is in use. SQLite only. */
    void backup(Path target);

    @Override
    void close();

    /**
     * Starts runs in the transaction of a connection to the same database: they begin when it commits and never existed
     * when it rolls back. Belongs to the connection's thread.
     */
    interface Within {

        /** Like {@link Dormouse#start(String, String, Class, Object...)}. The handle is of use after the commit. */
        default <R> WorkflowHandle<R> start(
                String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
            return start(StartOptions.DEFAULT, type, workflowId, TypeRef.of(resultType), input);
        }

        /** Starts a workflow by the name of its type, with a result that has type parameters. */
        default <R> WorkflowHandle<R> start(
                String type, String workflowId, TypeRef<R> resultType, @Nullable Object... input) {
            return start(StartOptions.DEFAULT, type, workflowId, resultType, input);
        }

        /** The same, with options. A closed run is never replaced here: {@link IdReuse} only decides what is returned. */
        default <R> WorkflowHandle<R> start(
                StartOptions options, String type, String workflowId, Class<R> resultType, @Nullable Object... input) {
            return start(options, type, workflowId, TypeRef.of(resultType), input);
        }

        /** Starts a workflow by the name of its type, with options and a result that has type parameters. */
        <R> WorkflowHandle<R> start(
                StartOptions options, String type, String workflowId, TypeRef<R> resultType, @Nullable Object... input);

        /** Starts the run that this one call of a stub describes. */
        <R extends @Nullable Object> WorkflowHandle<R> start(Supplier<R> stubCall);

        /** The same for a workflow method without a result. */
        WorkflowHandle<Void> start(Runnable stubCall);

        /** Like {@link Dormouse#publish}. */
        String publish(String event, @Nullable Object payload);

        /**
         * Timers that are scheduled, cancelled and rescheduled when the transaction commits. One that is changed here is
         * locked until then: keep the transaction short.
         */
        TimerScheduler timers();
    }
}
