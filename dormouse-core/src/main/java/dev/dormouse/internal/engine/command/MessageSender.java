package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.LocalRun;
import dev.dormouse.internal.engine.run.RunHost;
import dev.dormouse.internal.engine.run.RunTable;
import dev.dormouse.internal.engine.write.Writers;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.run.Builds;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.RunRow;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The delivery of messages to inboxes. Notifies a node that will read them: the owner of the run, this node, or any
 * node that may claim it.
 *
 * <p><b>Guarantees.</b> A delivery is accepted once per key, however often it is sent. The store numbers messages in
 * the order in which it accepts them. So two calls of one thread keep their order. Of two concurrent calls the second
 * may overtake the first, for example if the first met a locked row. A message for a waiting run sets its alarm to now,
 * so the run resumes even if every notification is lost. Notifications are best effort and only save time. Thread-safe.
 */
public final class MessageSender {
    private static final Logger LOG = LoggerFactory.getLogger(MessageSender.class);

    private final NodeContext context;
    private final RunHost host;
    private final RunTable table;

    public MessageSender(NodeContext context, RunHost host, RunTable table) {
        this.context = context;
        this.host = host;
        this.table = table;
    }

    public DeliverOutcome deliver(int shard, Delivery delivery) {
        return deliver(shard, delivery, accepted -> {});
    }

    /** @param first called before the run can learn of an accepted message */
    private DeliverOutcome deliver(int shard, Delivery delivery, Consumer<DeliverOutcome.Accepted> first) {
        DeliverOutcome outcome = context.writers(shard).deliver(delivery);
        if (outcome instanceof DeliverOutcome.Accepted accepted) {
            first.accept(accepted);
            wake(accepted, delivery);
        }
        return outcome;
    }

    /**
     * Delivers all messages, except those whose runs are closed or do not exist and those that the store rejects. A
     * message whose row is locked is sent again on its own.
     *
     * @throws StoreException if it is unknown whether all were delivered
     */
    void deliverAll(int shard, List<Delivery> batch) {
        List<DeliverOutcome> outcomes =
                context.store().deliver(shard, batch, context.settings().leasePeriod());
        for (int i = 0; i < batch.size(); i++) {
            DeliverOutcome outcome = outcomes.get(i);
            if (outcome instanceof DeliverOutcome.Accepted accepted) {
                wake(accepted, batch.get(i));
            } else if (outcome instanceof DeliverOutcome.Locked || outcome instanceof DeliverOutcome.Unknown) {
                outcome = deliver(shard, batch.get(i));
            }
            if (outcome instanceof DeliverOutcome.Unknown unknown) {
                throw unknown.cause();
            } else if (outcome instanceof DeliverOutcome.Locked) {
                throw undeliverable(batch.get(i).workflowId(), outcome);
            } else if (outcome instanceof DeliverOutcome.Rejected rejected) {
                LOG.warn(
                        "The store refuses an event for workflow id '{}', which does not receive it: {}",
                        batch.get(i).workflowId(),
                        rejected.reason().getMessage());
            }
        }
    }

    /**
     * Delivers a message for a caller and returns its position.
     *
     * @throws DormouseException if it was not accepted, with the reason
     */
    public long deliverOrFail(int shard, String workflowId, String key, Message message) {
        return position(workflowId, deliver(shard, delivery(workflowId, key, message)));
    }

    /**
     * Delivers a message for a caller and returns its position.
     *
     * @param first called before the run can learn of the message on this node, unless it had been delivered before
     * @throws DormouseException if it was not accepted, with the reason
     */
    long deliverOrFail(
            int shard, String workflowId, String key, Message message, Consumer<DeliverOutcome.Accepted> first) {
        return position(workflowId, deliver(shard, delivery(workflowId, key, message), first));
    }

    /**
     * Sends a message without waiting for its outcome.
     *
     * @param done gets the outcome, usually from a writer, and must be quick
     * @return a task that takes the message back unless it is on its way; {@code done} then gets the last outcome
     */
    Runnable send(int shard, String workflowId, String key, Message message, Consumer<DeliverOutcome> done) {
        Delivery delivery = delivery(workflowId, key, message);
        return context.writers(shard).send(delivery, outcome -> {
            done.accept(outcome);
            if (outcome instanceof DeliverOutcome.Accepted accepted) {
                wake(accepted, delivery);
            }
        });
    }

    /**
     * Returns the position of a message that was accepted, perhaps earlier.
     *
     * @throws DormouseException if it was not accepted, with the reason
     */
    long position(String workflowId, DeliverOutcome outcome) {
        return accepted(workflowId, outcome) instanceof DeliverOutcome.Accepted accepted
                ? accepted.position()
                : ((DeliverOutcome.Duplicate) outcome).position();
    }

    /**
     * Delivers a message for a caller. Returns the run that has it; null if it had been delivered before.
     *
     * @throws DormouseException if it was not accepted, with the reason
     */
    @Nullable
    public UUID deliverToRun(int shard, String workflowId, String key, Message message) {
        DeliverOutcome outcome = delivered(shard, workflowId, key, message);
        return outcome instanceof DeliverOutcome.Accepted accepted
                ? accepted.run().runId()
                : null;
    }

    /** Delivers a message for a caller. Throws {@code again} if it had been delivered before. */
    public void deliverFirst(
            int shard, String workflowId, String key, Message message, Supplier<? extends DormouseException> again) {
        if (delivered(shard, workflowId, key, message) instanceof DeliverOutcome.Duplicate) {
            throw again.get();
        }
    }

    /** Delivers a message. Returns {@code Accepted} or {@code Duplicate}; throws for any other outcome. */
    private DeliverOutcome delivered(int shard, String workflowId, String key, Message message) {
        return accepted(workflowId, deliver(shard, delivery(workflowId, key, message)));
    }

    private static Delivery delivery(String workflowId, String key, Message message) {
        return new Delivery(workflowId, key, message.kind(), MessageCodec.encode(message));
    }

    private static DeliverOutcome accepted(String workflowId, DeliverOutcome outcome) {
        if (outcome instanceof DeliverOutcome.Accepted || outcome instanceof DeliverOutcome.Duplicate) {
            return outcome;
        } else if (outcome instanceof DeliverOutcome.Rejected rejected) {
            throw rejected.reason();
        } else if (outcome instanceof DeliverOutcome.Unknown unknown) {
            throw unanswered(workflowId, unknown.cause());
        }
        throw undeliverable(workflowId, outcome);
    }

    private static DormouseException undeliverable(String workflowId, DeliverOutcome outcome) {
        if (outcome instanceof DeliverOutcome.RunClosed closed) {
            return new DormouseException(
                    ErrorCode.RUN_CLOSED,
                    "Expected an open run of workflow id '" + workflowId + "', but run "
                            + closed.run().runId() + " is " + closed.run().status()
                            + ". It no longer accepts messages; start the workflow again if it should.");
        } else if (outcome instanceof DeliverOutcome.NoRun) {
            return new DormouseException(
                    ErrorCode.RUN_NOT_FOUND,
                    "Expected a run of workflow id '" + workflowId
                            + "', but there is none. Start it first, or check the id.");
        }
        return new DormouseException(
                ErrorCode.STORE_UNAVAILABLE,
                "Expected workflow id '" + workflowId + "' to accept a message within " + Writers.LONGEST_CALL
                        + ", but other transactions kept its row locked. Send it again under the same key.");
    }

    private static DormouseException unanswered(String workflowId, StoreException cause) {
        return cause.code() == ErrorCode.DORMOUSE_CLOSED
                ? cause
                : new StoreException(
                        ErrorCode.STORE_UNAVAILABLE,
                        "Expected a message for workflow id '" + workflowId + "' to be accepted within "
                                + Writers.LONGEST_CALL + ", but the store did not answer. Send it again under the "
                                + "same key: it counts once, whether or not this call came through.",
                        cause);
    }

    /**
     * Notifies the owner of the run of an accepted message, or makes a waiting run due. A run in any other state
     * reads its inbox when it executes. A run on this node gets the message itself, so that it need not read it.
     */
    void wake(DeliverOutcome.Accepted accepted, Delivery delivery) {
        RunRow run = accepted.run();
        if (run.owner().equals(context.nodeId())) {
            LocalRun local = table.get(run.runId());
            if (local != null) {
                InboxMessage message = new InboxMessage(
                        accepted.position(), delivery.key(), delivery.kind(), accepted.at(), delivery.payload());
                local.messageArrived(message, accepted.epoch());
            }
        } else if (!run.owner().isEmpty()) {
            context.store().notify(List.of(new Notice.MailArrived(run.owner(), run.runId())));
        } else if (run.status() == RunStatus.WAITING) {
            wakeWaiting(run, accepted);
        }
    }

    private void wakeWaiting(RunRow run, DeliverOutcome.Accepted accepted) {
        if (host.serves(run.type(), run.lane()) && !Builds.has(run.refused(), context.build())) {
            host.arm(run.lane(), accepted.at());
        } else {
            context.notifyNodes(run.shard(), run.lane(), accepted.at());
        }
    }
}
