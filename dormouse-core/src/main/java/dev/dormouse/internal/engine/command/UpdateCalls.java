package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.engine.context.IdGenerator;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Nanos;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Updates: requests to runs whose callers wait for the answer, on whichever node the run executes.
 *
 * <p><b>How an update gets its answer.</b>
 *
 * <ol>
 *   <li>The request is delivered as a message under the caller's key, which the store accepts once. Its position
 *       identifies the update.
 *   <li>The run's code takes the message and answers it by an event of its history.
 *   <li>After the commit of that event, the node of the run passes the answer to callers on the same node and
 *       notifies nodes that watch the run.
 *   <li>The caller also reads the history, at increasing intervals up to the sweep interval, in case a notification
 *       is lost.
 * </ol>
 *
 * <p>Request and answer are both stored. So a caller may repeat the call under the same key, on any node, after a
 * timeout or a lost answer, and gets the same answer. Thread-safe.
 */
public final class UpdateCalls {
    static final Duration FIRST_LOOK = Duration.ofMillis(20);

    /** The position of an update with which a run was started. */
    static final long WITH_START = 0;

    private final NodeContext context;
    private final RunTable table;
    private final UpdateAnswers answers;
    private final MessageSender sender;

    public UpdateCalls(NodeContext context, RunTable table, UpdateAnswers answers, MessageSender sender) {
        this.context = context;
        this.table = table;
        this.answers = answers;
        this.sender = sender;
    }

    /**
     * Sends an update and waits for its answer.
     *
     * @throws DormouseException NOT_ANSWERED after {@code atMost}, RUN_CLOSED if the run closes without an answer
     */
    public Event.UpdateAnswered ask(int shard, String workflowId, String key, Message.Update update, Duration atMost) {
        long giveUp = context.threads().nanoTime() + Nanos.of(atMost);
        try (Delivered delivered = deliver(shard, workflowId, key, update)) {
            return delivered.await(atMost, giveUp);
        }
    }

    /**
     * Delivers an update for a caller who will wait for the answer.
     *
     * @throws DormouseException if it was not accepted, with the reason
     */
    Delivered deliver(int shard, String workflowId, String key, Message.Update update) {
        Delivered delivered = new Delivered(shard, workflowId, key);
        try {
            delivered.position = sender.deliverOrFail(shard, workflowId, inboxKey(key), update, delivered::acceptedBy);
            return delivered;
        } catch (RuntimeException | Error refused) {
            delivered.close();
            throw refused;
        }
    }

    /**
     * An update that was delivered. Its caller waits for the answer from before the run learns of the update: so it misses
     * no answer, and need not read the run if the answer comes soon, as most do.
     */
    final class Delivered implements AutoCloseable {
        private final int shard;
        private final String workflowId;
        private final String key;
        private final Gate gate = context.threads().newGate();
        private long position;
        private @Nullable UUID taker;
        private UpdateAnswers.@Nullable Waiter waiter;

        private Delivered(int shard, String workflowId, String key) {
            this.shard = shard;
            this.workflowId = workflowId;
            this.key = key;
        }

        private void acceptedBy(DeliverOutcome.Accepted accepted) {
            taker = accepted.run().runId();
            waiter = new UpdateAnswers.Waiter(gate::open, accepted.position());
            answers.add(taker, waiter);
        }

        /**
         * Waits for the answer.
         *
         * @param giveUp when the caller stops to wait, in nanoseconds
         * @throws DormouseException NOT_ANSWERED after {@code atMost}, RUN_CLOSED if the run closes without an answer
         */
        Event.UpdateAnswered await(Duration atMost, long giveUp) {
            Event.UpdateAnswered answer = soon(giveUp);
            Question question = new Question(workflowId, key, position, atMost, giveUp);
            return answer != null
                    ? answer
                    : UpdateCalls.this.await(question, () -> holder(shard, workflowId, position, taker));
        }

        /** Returns the answer; null if there is none soon, or if the update had been delivered before. */
        private Event.@Nullable UpdateAnswered soon(long giveUp) {
            if (taker == null || waiter == null) {
                return null;
            }
            watch(taker);
            long left = giveUp - context.threads().nanoTime();
            gate.pass(Duration.ofNanos(Math.max(0, Math.min(left, FIRST_LOOK.toNanos()))));
            return waiter.answer();
        }

        @Override
        public void close() {
            if (taker != null && waiter != null) {
                answers.remove(taker, waiter);
            }
        }
    }

    /**
     * An update whose caller waits.
     *
     * @param position its position in the inbox; {@link #WITH_START} if the run was started with it
     * @param giveUp when the caller stops to wait, in nanoseconds
     */
    record Question(String workflowId, String key, long position, Duration atMost, long giveUp) {}

    /**
     * Waits for the answer to an update.
     *
     * @param holder returns the run that has taken the update, or will take it
     * @throws DormouseException NOT_ANSWERED after some time, RUN_CLOSED if the run closes without an answer
     */
    Event.UpdateAnswered await(Question question, Supplier<RunRow> holder) {
        Duration pause = FIRST_LOOK;
        while (true) {
            RunRow run = holder.get();
            Gate gate = context.threads().newGate();
            UpdateAnswers.Waiter waiter = new UpdateAnswers.Waiter(gate::open, question.position);
            answers.add(run.runId(), waiter);
            try {
                Event.UpdateAnswered answer = await(question, run, waiter, gate, pause);
                if (answer != null) {
                    return answer;
                }
            } finally {
                answers.remove(run.runId(), waiter);
            }
            if (context.threads().nanoTime() - question.giveUp >= 0) {
                throw late(question.workflowId, question.key, question.atMost);
            }
            pause = longer(pause);
        }
    }

    /** Returns the inbox key of an update. The prefix keeps update ids apart from signal keys. */
    public static String inboxKey(String key) {
        return "update " + key;
    }

    /** Returns the pause after {@code pause}: twice as long, up to the sweep interval. */
    Duration longer(Duration pause) {
        Duration most = context.settings().sweepInterval();
        return pause.multipliedBy(2).compareTo(most) < 0 ? pause.multipliedBy(2) : most;
    }

    /** Asks the node of a run to notify this node of answers, unless it is this node. */
    void watch(UUID runId) {
        if (table.get(runId) == null) {
            context.store().notify(List.of(new Notice.Watched(runId)));
        }
    }

    /**
     * Reads the history, and waits for at most {@code pause} if it has no answer. Returns null if there is still
     * none.
     */
    private Event.@Nullable UpdateAnswered await(
            Question question, RunRow run, UpdateAnswers.Waiter waiter, Gate gate, Duration pause) {
        Event.UpdateAnswered recorded = recorded(run, question.key, question.position);
        if (recorded != null) {
            return recorded;
        }
        watch(run.runId());
        long left = question.giveUp - context.threads().nanoTime();
        Duration wait = Duration.ofNanos(Math.max(0, Math.min(left, pause.toNanos())));
        gate.pass(wait);
        return waiter.answer();
    }

    /**
     * Returns the recorded answer; null if there is none yet.
     *
     * @throws DormouseException RUN_CLOSED if the run has closed without an answer
     */
    Event.@Nullable UpdateAnswered recorded(RunRow run, String key, long delivered) {
        if (run.consumed() < delivered && !run.status().isClosed() && !History.mayBeAhead(run)) {
            return null;
        }
        List<Event> events = events(run);
        boolean isStartedWith = isStartedWith((Event.RunStarted) events.get(0), key);
        long position = isStartedWith ? WITH_START : delivered;
        for (Event event : events) {
            if (event instanceof Event.UpdateAnswered answer && answer.position() == position) {
                return answer;
            }
        }
        if (!isStartedWith
                && run.consumed() >= position
                && !holds(events, position)
                && !isReadAgain(events, position)) {
            throw new DormouseException(
                    ErrorCode.RUN_CLOSED,
                    "Expected an update under an id of its own, but an earlier run of workflow id '" + run.workflowId()
                            + "' was asked under this one, and that has closed. Choose another id.");
        }
        if (run.status().isClosed() && run.status() != RunStatus.CONTINUED) {
            throw new DormouseException(
                    ErrorCode.RUN_CLOSED,
                    "Expected run " + run.runId() + " of workflow id '" + run.workflowId()
                            + "' to answer, but it closed as " + run.status() + " before that.");
        }
        return null;
    }

    /**
     * Returns the run that has taken the message, or will take it.
     *
     * @param taker the run that was current when the message was accepted; null if unknown
     */
    RunRow holder(int shard, String workflowId, long position, @Nullable UUID taker) {
        RunRow run = current(shard, workflowId);
        while (run.consumed() >= position) {
            List<Event> events = events(run);
            UUID before = ((Event.RunStarted) events.get(0)).origin().continues();
            if (holds(events, position) || isReadAgain(events, position)) {
                return run;
            }
            if (before == null) { // another start has replaced the run that has taken it
                return taker == null ? run : following(run, taker, position);
            }
            Optional<RunRow> earlier = context.store().run(shard, before);
            if (earlier.isEmpty()) {
                return run;
            }
            run = earlier.get();
        }
        return run;
    }

    /**
     * Returns the run that has answered the message: {@code taker}, or one that continued it, also after a reset. If none
     * has, returns the last of them.
     *
     * @param current returned if the taker was purged
     */
    private RunRow following(RunRow current, UUID taker, long position) {
        RunRow last = current;
        Optional<RunRow> next = context.store().run(current.shard(), taker);
        while (next.isPresent()) {
            last = next.get();
            List<Event> events = events(last);
            if (isAnswered(events, position)) {
                return last;
            }
            next = successor(last, events.get(events.size() - 1))
                    .flatMap(id -> context.store().run(current.shard(), id));
        }
        return last;
    }

    private static Optional<UUID> successor(RunRow run, Event last) {
        return last instanceof Event.RunContinued continued
                ? Optional.of(continued.nextRunId())
                : Optional.ofNullable(run.closedAt()).map(at -> IdGenerator.following(run.runId(), at));
    }

    private static boolean isAnswered(List<Event> events, long position) {
        return events.stream()
                .anyMatch(event -> event instanceof Event.UpdateAnswered answer && answer.position() == position);
    }

    private RunRow current(int shard, String workflowId) {
        return context.store()
                .current(shard, workflowId)
                .orElseThrow(() -> new DormouseException(
                        ErrorCode.RUN_NOT_FOUND,
                        "Expected a run of workflow id '" + workflowId + "', but it was purged meanwhile."));
    }

    /** Returns true if the run was started with the update under this key. */
    static boolean isStartedWith(Event.RunStarted started, String key) {
        return started.origin().mail().stream().anyMatch(item -> item.key().equals(inboxKey(key)));
    }

    /** Returns true if the message came after the point to which the run was reset: the run has taken it, or will. */
    private static boolean isReadAgain(List<Event> events, long position) {
        Origin.Reset reset = ((Event.RunStarted) events.get(0)).origin().reset();
        return reset != null && position > reset.mail();
    }

    /** Returns true if the run has taken the message at {@code position}. */
    private static boolean holds(List<Event> events, long position) {
        for (Event event : events) {
            if (event instanceof Event.MailReceived received) {
                for (InboxMessage item : received.items()) {
                    if (item.position() == position) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private List<Event> events(RunRow run) {
        return History.read(run, context.store().histories(run.shard(), List.of(run.runId())));
    }

    static DormouseException late(String workflowId, String key, Duration atMost) {
        return new DormouseException(
                ErrorCode.NOT_ANSWERED,
                "Expected workflow id '" + workflowId + "' to answer within " + atMost
                        + ", but it did not. It may be busy, or no node that has its code is alive. The request is kept: "
                        + "ask again under the same id '" + key + "' for its answer.");
    }
}
