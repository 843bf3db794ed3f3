package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.engine.write.Writers;
import dev.dormouse.internal.thread.Threads;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.OutboxFence;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.Start;
import dev.dormouse.store.run.StartOutcome;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processing of one outbox item: a chain of steps on the outbox loop's thread, none of which blocks. A step that
 * sends a request to the store names the next step, which runs when the outcome arrives. Confined to the loop's
 * thread.
 */
public final class OutboxCommand {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxCommand.class);

    public enum State {
        UNDERWAY,
        /** The item was carried out, or never can be. */
        DONE,
        /** The item is tried again later; later items for the same workflow id wait for it. */
        HELD_UP,
        /** The item is tried again later, after the items behind it. */
        LATER
    }

    private final Outgoing item;
    private final int shard;
    private final OutboxFence fence;
    private final Threads threads;
    private final Consumer<Runnable> loop;
    private final Consumer<OutboxCommand> ended;
    private @Nullable Runnable takeBack;
    private long sentAt;
    private State state = State.UNDERWAY;
    private int rounds;

    /**
     * @param shard the shard of the outbox that has the item
     * @param loop executes the next step on the loop's thread
     * @param ended called when the command leaves the state {@link State#UNDERWAY}
     */
    public OutboxCommand(
            Outgoing item,
            int shard,
            OutboxFence fence,
            Threads threads,
            Consumer<Runnable> loop,
            Consumer<OutboxCommand> ended) {
        this.item = item;
        this.shard = shard;
        this.fence = fence;
        this.threads = threads;
        this.loop = loop;
        this.ended = ended;
    }

    public Outgoing item() {
        return item;
    }

    public String workflowId() {
        return item.workflowId();
    }

    int shard() {
        return shard;
    }

    public OutboxFence fence() {
        return fence;
    }

    public State state() {
        return state;
    }

    /** Counts a round of a command that has to read the store again, and returns the number of rounds. */
    int nextRound() {
        return ++rounds;
    }

    /** Returns the nanoseconds until the pending request must be given up; {@link Long#MAX_VALUE} if there is none. */
    public long nanosLeft(Duration time) {
        return takeBack == null ? Long.MAX_VALUE : sentAt + time.toNanos() - threads.nanoTime();
    }

    /**
     * Takes back the pending request, unless it is in flight. Called if another transaction holds it up, or the store
     * does not answer.
     */
    public void giveUp() {
        Runnable last = takeBack;
        takeBack = null;
        if (last != null) {
            last.run();
        }
    }

    void done() {
        end(State.DONE);
    }

    void heldUp() {
        end(State.HELD_UP);
    }

    void later() {
        end(State.LATER);
    }

    private void end(State last) {
        if (state == State.UNDERWAY) {
            state = last;
            ended.accept(this);
        }
    }

    /** Executes a step. An item that can never be carried out is dropped with a log line. */
    public void step(Runnable body) {
        try {
            body.run();
        } catch (DormouseException problem) {
            if (isTemporary(problem)) {
                heldUp(); // the next sweep finds the item again
            } else {
                LOG.warn("Item {} for workflow id '{}' is dropped", item.id(), workflowId(), problem);
                done();
            }
        } catch (RuntimeException | LinkageError | OutOfMemoryError | StackOverflowError problem) {
            LOG.error("Item {} for workflow id '{}' failed; trying again", item.id(), workflowId(), problem);
            heldUp();
        }
    }

    private static boolean isTemporary(DormouseException problem) {
        return problem instanceof StoreException
                || switch (problem.code()) {
                    case STORE_FAILED, STORE_UNAVAILABLE, DORMOUSE_CLOSED -> true;
                    default -> false;
                };
    }

    void send(Writers writers, Start start, Consumer<StartOutcome> next) {
        send(answer -> writers.send(start, answer), next);
    }

    void send(Writers writers, Delivery delivery, Consumer<DeliverOutcome> next) {
        send(answer -> writers.send(delivery, answer), next);
    }

    void send(Writers writers, Commit commit, Consumer<CommitOutcome> next) {
        send(answer -> writers.send(commit, answer), next);
    }

    private <O> void send(Function<Consumer<O>, Runnable> sender, Consumer<O> next) {
        sentAt = threads.nanoTime();
        takeBack = sender.apply(outcome -> loop.accept(() -> step(() -> {
            takeBack = null;
            next.accept(outcome);
        })));
    }
}
