package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.RunStatus;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.RunHost;
import dev.dormouse.internal.engine.write.Writers;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.IdPolicy;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.run.StartedRun;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.Commit;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import dev.dormouse.store.run.StartOutcome;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The commands that runs have put into their outbox: delivers messages to other workflow ids, starts runs, and
 * terminates runs. Each method is a step of an {@link OutboxCommand}.
 *
 * <p><b>Guarantee.</b> A command is stored in the commit that requests it, and is carried out at least once after that.
 * Carrying it out twice has no further effect: a message has the item's id as its key, a start names its run id, and a
 * closed run is not closed again. An item is removed only in the epoch in which its command was carried out, so a
 * failover that loses the effect keeps the item. The fence of the outbox page expires before the affected runs can be
 * purged, so a late repetition is refused.
 *
 * <p><b>Outcomes.</b>
 *
 * <ul>
 *   <li>Accepted, started, closed, or a duplicate of it: the command is done and its item is deleted.
 *   <li>The recipient does not exist or is closed: a message is dropped with a log line.
 *   <li>Rejected by the store: a start reports the failure to the parent, if it has one. Other commands are dropped
 *       with an error in the log.
 *   <li>Locked or unknown (the answer is lost): the command is held up and the next sweep carries it out again.
 *   <li>Fenced: the store failed over, or the page is too old. The command is held up and the node sweeps at once. A
 *       fenced termination means that the run has changed, so it is read again first, a limited number of times.
 * </ul>
 *
 * <p>Commands for one workflow id are carried out in order; a command that is held up delays only later ones for the
 * same id. Confined to the outbox loop's thread.
 */
public final class OutboxCommands {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxCommands.class);
    private static final int MOST_ROUNDS = 10;

    private final Starter starter;
    private final MessageSender sender;
    private final Terminator terminator;
    private final ReplacementChild replacement;
    private final NodeContext context;
    private final RunHost host;

    public OutboxCommands(
            NodeContext context, RunHost host, Starter starter, MessageSender sender, Terminator terminator) {
        this.context = context;
        this.host = host;
        this.starter = starter;
        this.sender = sender;
        this.terminator = terminator;
        this.replacement = new ReplacementChild(context, starter);
    }

    /** Returns true if commands for a workflow id must wait, because a caller is terminating its run. */
    public boolean mustWait(String workflowId) {
        return terminator.isTerminating(workflowId);
    }

    /** Executes the first step of a command. */
    public void begin(OutboxCommand command) {
        Outgoing item = SqlRequest.translated(command.item());
        if (!isStartOrTermination(item)) {
            deliver(
                    command,
                    new Delivery(
                            item.workflowId(), item.id().toString(), item.kind(), item.payload(), command.fence()));
            return;
        }
        Message message = MessageCodec.decode(item.kind(), item.payload());
        if (message instanceof Message.StartRun start) {
            start(command, start, Starter.replacedBy(start));
        } else if (message instanceof Message.TerminateRun terminate) {
            terminate(command, terminate);
        } else {
            command.done();
        }
    }

    private static boolean isStartOrTermination(Outgoing item) {
        return item.kind() == Message.START_RUN
                || item.kind() == Message.START_QUEUED_RUN
                || item.kind() == Message.START_CHILD
                || item.kind() == Message.TERMINATE_RUN;
    }

    private Writers writers(String workflowId) {
        return context.writers(starter.shard(workflowId));
    }

    // ---- messages

    private void deliver(OutboxCommand command, Delivery delivery) {
        deliver(command, delivery, command::done);
    }

    /** @param next called when the message was delivered or dropped */
    private void deliver(OutboxCommand command, Delivery delivery, Runnable next) {
        command.send(writers(delivery.workflowId()), delivery, outcome -> delivered(command, delivery, outcome, next));
    }

    private void delivered(OutboxCommand command, Delivery delivery, DeliverOutcome outcome, Runnable next) {
        if (outcome instanceof DeliverOutcome.Accepted accepted) {
            sender.wake(accepted, delivery);
            if (delivery.kind() == Message.CANCEL && cancelBeforeItBegins(command, delivery, accepted.run())) {
                return;
            }
        } else if (outcome instanceof DeliverOutcome.NoRun || outcome instanceof DeliverOutcome.RunClosed) {
            boolean isReport = delivery.kind() == Message.CHILD_ENDED || delivery.kind() == Message.CHILD_STARTED;
            LOG.atLevel(isReport ? Level.DEBUG : Level.INFO)
                    .log(
                            "No open run of workflow id '{}' accepts messages; item {} is dropped",
                            delivery.workflowId(),
                            command.item().id());
        } else if (outcome instanceof DeliverOutcome.Rejected rejected) {
            drop(command, rejected.reason());
        } else if (!(outcome instanceof DeliverOutcome.Duplicate)) {
            heldUp(command, outcome instanceof DeliverOutcome.Fenced);
            return;
        }
        next.run();
    }

    /** Closes a run at once if it was asked to end before its delayed start. Returns false for any other run. */
    private boolean cancelBeforeItBegins(OutboxCommand command, Delivery delivery, RunRow row) {
        Message.Cancel cancel = (Message.Cancel) MessageCodec.decode(delivery.kind(), delivery.payload());
        Terminator.Move.Close close = row.runId().equals(cancel.runId())
                ? terminator.cancelOfUnbegun(
                        row, cancel.reason(), command.fence().epoch())
                : null;
        if (close == null) {
            return false;
        }
        command.send(writers(row.workflowId()), close.commit(), outcome -> {
            if (outcome instanceof CommitOutcome.Committed committed) {
                terminator.closed(close, committed);
            }
            command.done(); // a run that has begun meanwhile takes the message
        });
        return true;
    }

    private static void drop(OutboxCommand command, DormouseException why) {
        LOG.error("Item {} for workflow id '{}' is dropped", command.item().id(), command.workflowId(), why);
        command.done();
    }

    /** @param fenced true if the store has failed over, or the item was read too long ago */
    private void heldUp(OutboxCommand command, boolean fenced) {
        command.heldUp();
        if (fenced) {
            host.sweepNow();
        }
    }

    // ---- starts

    private void start(OutboxCommand command, Message.StartRun start, Set<RunStatus> replaces) {
        Starter.Opening opening = starter.open(command.workflowId(), start, replaces, command.fence());
        command.send(
                writers(command.workflowId()), opening.start(), outcome -> started(command, start, opening, outcome));
    }

    private void started(OutboxCommand command, Message.StartRun start, Starter.Opening opening, StartOutcome outcome) {
        if (outcome instanceof StartOutcome.Rejected rejected) {
            starter.abandon(opening);
            failInParent(command, start, rejected.reason());
        } else if (!(outcome instanceof StartOutcome.Started || outcome instanceof StartOutcome.Exists)) {
            starter.abandon(opening);
            heldUp(command, outcome instanceof StartOutcome.Fenced);
        } else {
            StartedRun run = starter.settle(opening, outcome);
            if (run.isNew()) {
                report(command, start, run.runId(), command::done);
            } else if (start.origin().continues() != null) {
                command.done(); // even if an earlier try had started it and it has continued since
            } else {
                startInPlace(command, start, run.runId());
            }
        }
    }

    /** Reports the start of a child to its parent, if the parent has asked for the report. */
    private void report(OutboxCommand command, Message.StartRun start, UUID runId, Runnable next) {
        Origin.Parent parent = start.origin().parent();
        if (parent == null || start.child() == null || !start.child().reported()) {
            next.run();
            return;
        }
        Message begun = new Message.ChildStarted(parent.runId(), parent.call(), runId);
        deliver(command, delivery(command, parent, start.runId() + " started", begun), next);
    }

    /** @param taken the run that has the workflow id */
    private void startInPlace(OutboxCommand command, Message.StartRun start, UUID taken) {
        ReplacementChild.Place place = replacement.find(command.workflowId(), start);
        if (place == ReplacementChild.Place.FREE_SOON || command.nextRound() > MOST_ROUNDS) {
            command.heldUp(); // the next sweep looks again
        } else if (place == ReplacementChild.Place.FREE) {
            start(command, start, Starter.ENDED);
        } else if (start.child() != null && start.child().idPolicy() != IdPolicy.REJECT) {
            returnClosed(command, start, taken);
        } else {
            failInParent(command, start, taken(command, "it already has a run"));
        }
    }

    /** Reports the end of an existing closed run to the parent, as the end of its child. */
    private void returnClosed(OutboxCommand command, Message.StartRun start, UUID runId) {
        RunRow row =
                context.store().run(starter.shard(command.workflowId()), runId).orElse(null);
        if (row == null) {
            command.heldUp(); // purged meanwhile: the next sweep starts the child
        } else if (!row.status().isClosed() || row.status() == RunStatus.CONTINUED) {
            failInParent(command, start, taken(command, "it has an open run"));
        } else if (!row.type().equals(start.type())) {
            failInParent(command, start, taken(command, "its closed run is of type '" + row.type() + "'"));
        } else {
            returnEnd(command, start, row);
        }
    }

    private void returnEnd(OutboxCommand command, Message.StartRun start, RunRow row) {
        Origin.Parent parent = Objects.requireNonNull(start.origin().parent());
        Event end;
        try {
            List<Event> events = History.read(row, context.store().histories(row.shard(), List.of(row.runId())));
            end = events.get(events.size() - 1);
        } catch (StoreException noAnswer) {
            throw noAnswer;
        } catch (DormouseException damaged) {
            failInParent(command, start, damaged);
            return;
        }
        Delivery ended = delivery(
                command,
                parent,
                start.runId() + " returned",
                new Message.ChildEnded(parent.runId(), parent.call(), end));
        report(command, start, row.runId(), () -> deliver(command, ended));
    }

    private static DormouseException taken(OutboxCommand command, String because) {
        return new DormouseException(
                ErrorCode.WORKFLOW_ID_TAKEN,
                "Expected to start a child under workflow id '" + command.workflowId() + "', but " + because
                        + ". Choose another id for the child.");
    }

    private static Delivery delivery(OutboxCommand command, Origin.Parent parent, String key, Message message) {
        return new Delivery(parent.workflowId(), key, message.kind(), MessageCodec.encode(message), command.fence());
    }

    private void failInParent(OutboxCommand command, Message.StartRun start, DormouseException why) {
        Origin.Parent parent = start.origin().parent();
        if (parent == null) {
            LOG.error("Run {} of workflow id '{}' is not started", start.runId(), command.workflowId(), why);
            command.done();
            return;
        }
        Event failed = new Event.RunFailed(context.clock().latest(), Failure.of(why));
        Message ended = new Message.ChildEnded(parent.runId(), parent.call(), failed);
        deliver(command, delivery(command, parent, start.runId() + Message.NOT_STARTED, ended));
    }

    // ---- ends

    private void terminate(OutboxCommand command, Message.TerminateRun wanted) {
        int shard = starter.shard(command.workflowId());
        if (context.store().run(shard, wanted.runId()).isEmpty()) {
            missing(command, wanted);
            return;
        }
        Terminator.Move move = terminator.next(
                shard,
                command.workflowId(),
                wanted.runId(),
                wanted.reason(),
                command.fence().epoch());
        if (move instanceof Terminator.Move.Nothing) {
            command.done();
        } else if (command.nextRound() > MOST_ROUNDS) {
            heldUp(command, true);
        } else if (move instanceof Terminator.Move.Begin begin) {
            command.send(
                    context.writers(shard), begin.opening().start(), outcome -> begun(command, wanted, begin, outcome));
        } else if (move instanceof Terminator.Move.Close close) {
            command.send(context.writers(shard), close.commit(), outcome -> closed(command, wanted, close, outcome));
        }
    }

    /**
     * Handles a run that does not exist. If the item that starts it comes after this one in the outbox, because the
     * store's clock was set back, the run is terminated after its start.
     */
    private void missing(OutboxCommand command, Message.TerminateRun wanted) {
        if (context.store().outgoing(command.shard(), wanted.runId()).items().isEmpty()) {
            command.done();
        } else {
            command.later();
        }
    }

    private void begun(
            OutboxCommand command, Message.TerminateRun wanted, Terminator.Move.Begin begin, StartOutcome outcome) {
        if (outcome instanceof StartOutcome.Rejected rejected) {
            drop(command, rejected.reason());
        } else if (!(outcome instanceof StartOutcome.Unknown) && terminator.hasBegun(begin, outcome)) {
            terminate(command, wanted);
        } else {
            heldUp(command, outcome instanceof StartOutcome.Fenced);
        }
    }

    private void closed(
            OutboxCommand command, Message.TerminateRun wanted, Terminator.Move.Close close, CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Committed committed) {
            terminator.closed(close, committed);
            command.done();
        } else if (outcome instanceof CommitOutcome.Rejected rejected) {
            drop(command, rejected.reason());
        } else if (outcome instanceof CommitOutcome.Fenced) {
            takeLeaseAway(command, wanted, close.row());
        } else {
            command.heldUp();
        }
    }

    /** Looks again at a run that has changed, after its lease was taken away. See {@link Terminator#takingAway}. */
    private void takeLeaseAway(OutboxCommand command, Message.TerminateRun wanted, RunRow row) {
        Commit taking = terminator.takingAway(row);
        if (taking == null) {
            terminate(command, wanted);
            return;
        }
        command.send(context.writers(row.shard()), taking, outcome -> {
            if (outcome instanceof CommitOutcome.Committed) {
                terminator.takenAway(taking, row.owner());
            }
            terminate(command, wanted);
        });
    }
}
