package dev.dormouse.internal.engine.command;

import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.write.Writers;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.thread.Nanos;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Updates whose callers do not hold a thread while they wait; see {@link UpdateCalls} for how an update gets its
 * answer. A thread exists only while the history is read.
 *
 * <p>Thread-safe. Futures are completed by writers and by threads of this node without a lock, so callbacks of a user
 * must not depend on them directly. {@link #close} cancels all futures.
 */
public final class PendingUpdates {
    private final NodeContext context;
    private final UpdateCalls updates;
    private final UpdateAnswers answers;
    private final MessageSender sender;
    private final CallTimer timer;
    private final Set<Pending> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public PendingUpdates(
            NodeContext context, UpdateCalls updates, UpdateAnswers answers, MessageSender sender, CallTimer timer) {
        this.context = context;
        this.updates = updates;
        this.answers = answers;
        this.sender = sender;
        this.timer = timer;
    }

    /**
     * Sends an update and returns a future of its answer. The future fails with NOT_ANSWERED after {@code atMost}, and
     * with RUN_CLOSED if the run closes without an answer. Cancelling it ends the wait and not the update.
     */
    public CompletableFuture<Event.UpdateAnswered> ask(
            int shard, String workflowId, String key, Message.Update update, Duration atMost) {
        Pending pending = new Pending(shard, workflowId, key, atMost);
        open.add(pending);
        CompletableFuture<Event.UpdateAnswered> unused =
                pending.future.whenComplete((answer, problem) -> pending.ended());
        pending.send(update);
        if (closed) {
            pending.future.cancel(false);
        }
        return pending.future;
    }

    public void close() {
        closed = true;
        open.forEach(pending -> pending.future.cancel(false));
    }

    private final class Pending {
        private final CompletableFuture<Event.UpdateAnswered> future = new CompletableFuture<>();
        private final int shard;
        private final String workflowId;
        private final String key;
        private final Duration atMost;
        private final long giveUp;
        private Duration pause = UpdateCalls.FIRST_LOOK;
        private long position;
        private @Nullable UUID taker;
        private volatile boolean isDelivered;
        private volatile CallTimer.@Nullable Entry sendLimit;
        private volatile @Nullable Wait wait;

        Pending(int shard, String workflowId, String key, Duration atMost) {
            this.shard = shard;
            this.workflowId = workflowId;
            this.key = key;
            this.atMost = atMost;
            this.giveUp = context.threads().nanoTime() + Nanos.of(atMost);
        }

        void send(Message.Update update) {
            Runnable takeBack =
                    sender.send(shard, workflowId, UpdateCalls.inboxKey(key), update, outcome -> delivered(outcome));
            sendLimit = timer.in(Writers.LONGEST_CALL, takeBack);
            if (isDelivered) {
                timer.cancel(sendLimit);
            }
        }

        /** Handles the outcome of the delivery. Called by a writer, so it does not read the store. */
        private void delivered(DeliverOutcome outcome) {
            isDelivered = true;
            timer.cancel(sendLimit);
            if (closed || context.isClosed()) {
                future.cancel(false);
                return;
            }
            attempt(() -> {
                position = sender.position(workflowId, outcome);
                if (outcome instanceof DeliverOutcome.Accepted accepted) {
                    UUID accepting = accepted.run().runId();
                    taker = accepting;
                    new Wait(accepting).arm();
                } else {
                    lookSoon(); // it was asked before, and perhaps answered
                }
            });
        }

        private void lookSoon() {
            try {
                context.threads().startCode("update", () -> attempt(this::look));
            } catch (RejectedExecutionException noThread) {
                if (closed || context.isClosed()) {
                    future.cancel(false);
                } else {
                    throw noThread;
                }
            }
        }

        private void look() {
            RunRow run = updates.holder(shard, workflowId, position, taker);
            Wait begun = new Wait(run.runId()); // before the history is read, so that no answer is missed
            Event.UpdateAnswered recorded = updates.recorded(run, key, position);
            if (recorded == null) {
                begun.arm();
            } else {
                future.complete(recorded);
            }
        }

        private void attempt(Runnable work) {
            try {
                work.run();
            } catch (RuntimeException | LinkageError | OutOfMemoryError problem) {
                future.completeExceptionally(problem);
            }
        }

        void ended() {
            open.remove(this);
            timer.cancel(sendLimit);
            Wait last = wait;
            if (last != null) {
                last.end();
            }
        }

        private Duration nextPause() {
            long left = giveUp - context.threads().nanoTime();
            Duration next = Duration.ofNanos(Math.max(0, Math.min(left, pause.toNanos())));
            pause = updates.longer(pause);
            return next;
        }

        /**
         * The wait between two readings of the history. It ends once: by the answer, by a hint that there may be one,
         * or after its time.
         */
        private final class Wait {
            private final UUID runId;
            private final UpdateAnswers.Waiter waiter = new UpdateAnswers.Waiter(this::wake, position);
            private boolean isArmed;
            private boolean isWoken;
            private CallTimer.@Nullable Entry alarm;

            Wait(UUID runId) {
                this.runId = runId;
                wait = this;
                answers.add(runId, waiter);
            }

            /** Lets the wait end from now on. A wake-up that came before ends it at once. */
            void arm() {
                updates.watch(runId);
                synchronized (this) {
                    isArmed = !isWoken;
                    alarm = isArmed ? timer.in(nextPause(), this::wake) : null;
                }
                if (future.isDone()) {
                    end();
                } else if (alarm() == null) {
                    next();
                }
            }

            private synchronized CallTimer.@Nullable Entry alarm() {
                return alarm;
            }

            private void wake() {
                synchronized (this) {
                    isWoken = true;
                    if (!isArmed) {
                        return;
                    }
                    isArmed = false;
                }
                next();
            }

            private void next() {
                end();
                Event.UpdateAnswered answer = waiter.answer();
                if (answer != null) {
                    future.complete(answer);
                } else if (context.threads().nanoTime() - giveUp >= 0) {
                    future.completeExceptionally(UpdateCalls.late(workflowId, key, atMost));
                } else if (!future.isDone()) {
                    attempt(Pending.this::lookSoon);
                }
            }

            void end() {
                answers.remove(runId, waiter);
                timer.cancel(alarm());
            }
        }
    }
}
