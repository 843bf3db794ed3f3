package dev.dormouse.internal.engine.command;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.RunHost;
import dev.dormouse.internal.engine.write.Writers;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.store.run.CommitOutcome;
import dev.dormouse.store.run.DeliverOutcome;
import dev.dormouse.store.run.Delivery;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunStatus;
import dev.dormouse.store.run.StartOutcome;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Carries out what runs have sent: brings mail to other workflow ids, starts runs, and ends them. Doing so twice does no
 * harm. Each method is a step of an {@link OutboxCommand}.
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

    /** Whether items for a workflow id wait, because a caller is about to terminate its run. */
    public boolean mustWait(String workflowId) {
        return terminator.isBusyWith(workflowId);
    }

    public void begin(OutboxCommand errand) {
        Outgoing item = SqlRequest.translated(errand.item());
        if (!isErrand(item)) {
            deliver(
                    errand,
                    new Delivery(item.workflowId(), item.id().toString(), item.kind(), item.payload(), errand.fence()));
            return;
        }
        Message message = MessageCodec.decode(item.kind(), item.payload());
        if (message instanceof Message.StartRun start) {
            start(errand, start, Starter.replacedBy(start.origin()));
        } else if (message instanceof Message.TerminateRun terminate) {
            terminate(errand, terminate);
        } else {
            errand.done();
        }
    }

    private static boolean isErrand(Outgoing item) {
        return item.kind() == Message.START_RUN
                || item.kind() == Message.START_QUEUED_RUN
                || item.kind() == Message.TERMINATE_RUN;
    }

    private Writers writers(String workflowId) {
        return context.writers(starter.shard(workflowId));
    }

    // ---- mail

    private void deliver(OutboxCommand errand, Delivery delivery) {
        errand.send(writers(delivery.workflowId()), delivery, outcome -> delivered(errand, delivery, outcome));
    }

    private void delivered(OutboxCommand errand, Delivery delivery, DeliverOutcome outcome) {
        if (outcome instanceof DeliverOutcome.Accepted accepted) {
            sender.wake(accepted);
        } else if (outcome instanceof DeliverOutcome.NoRun || outcome instanceof DeliverOutcome.RunClosed) {
            LOG.atLevel(delivery.kind() == Message.CHILD_ENDED ? Level.DEBUG : Level.INFO)
                    .log(
                            "Nothing takes mail for workflow id '{}' any more; item {} is dropped",
                            delivery.workflowId(),
                            errand.item().id());
        } else if (outcome instanceof DeliverOutcome.Rejected rejected) {
            drop(errand, rejected.reason());
        } else if (!(outcome instanceof DeliverOutcome.Duplicate)) {
            heldUp(errand, outcome instanceof DeliverOutcome.Fenced);
            return;
        }
        errand.done();
    }

    private static void drop(OutboxCommand errand, DormouseException why) {
        LOG.error("Item {} for workflow id '{}' is dropped", errand.item().id(), errand.workflowId(), why);
        errand.done();
    }

    /** @param fenced whether the store is not the one that this node knows, or the item was read too long ago */
    private void heldUp(OutboxCommand errand, boolean fenced) {
        errand.heldUp();
        if (fenced) {
            host.sweepNow();
        }
    }

    // ---- starts

    private void start(OutboxCommand errand, Message.StartRun start, Set<RunStatus> replaces) {
        Starter.Opening opening = starter.open(errand.workflowId(), start, replaces, errand.fence());
        errand.send(writers(errand.workflowId()), opening.start(), outcome -> started(errand, start, opening, outcome));
    }

    private void started(OutboxCommand errand, Message.StartRun start, Starter.Opening opening, StartOutcome outcome) {
        if (outcome instanceof StartOutcome.Rejected rejected) {
            starter.abandon(opening);
            tellParent(errand, start, rejected.reason());
        } else if (!(outcome instanceof StartOutcome.Started || outcome instanceof StartOutcome.Exists)) {
            starter.abandon(opening);
            heldUp(errand, outcome instanceof StartOutcome.Fenced);
        } else if (starter.settle(opening, outcome).isNew() || start.origin().continues() != null) {
            errand.done(); // also if it had been started, and has gone on from there
        } else {
            startInPlace(errand, start);
        }
    }

    private void startInPlace(OutboxCommand errand, Message.StartRun start) {
        ReplacementChild.Place place = replacement.find(errand.workflowId(), start);
        if (place == ReplacementChild.Place.FREE_SOON || errand.nextRound() > MOST_ROUNDS) {
            errand.heldUp(); // the next sweep sees whether it is
        } else if (place == ReplacementChild.Place.FREE) {
            start(errand, start, Starter.ENDED);
        } else {
            tellParent(
                    errand,
                    start,
                    new DormouseException(
                            ErrorCode.WORKFLOW_ID_TAKEN,
                            "Expected to start a child under workflow id '" + errand.workflowId()
                                    + "', but that has a run already. Choose another id for the child."));
        }
    }

    private void tellParent(OutboxCommand errand, Message.StartRun start, DormouseException why) {
        Origin.Parent parent = start.origin().parent();
        if (parent == null) {
            LOG.error("Run {} of workflow id '{}' is not started", start.runId(), errand.workflowId(), why);
            errand.done();
            return;
        }
        Event failed = new Event.RunFailed(context.clock().latest(), Failure.of(why));
        Message ended = new Message.ChildEnded(parent.runId(), parent.call(), failed);
        String key = start.runId() + " not started";
        byte[] payload = MessageCodec.encode(ended);
        deliver(errand, new Delivery(parent.workflowId(), key, ended.kind(), payload, errand.fence()));
    }

    // ---- ends

    private void terminate(OutboxCommand errand, Message.TerminateRun wanted) {
        int shard = starter.shard(errand.workflowId());
        if (context.store().run(shard, wanted.runId()).isEmpty()) {
            missing(errand, wanted);
            return;
        }
        Terminator.Move move = terminator.next(
                shard,
                errand.workflowId(),
                wanted.runId(),
                wanted.reason(),
                errand.fence().epoch());
        if (move instanceof Terminator.Move.Nothing) {
            errand.done();
        } else if (errand.nextRound() > MOST_ROUNDS) {
            heldUp(errand, true);
        } else if (move instanceof Terminator.Move.Begin begin) {
            errand.send(
                    context.writers(shard), begin.opening().start(), outcome -> begun(errand, wanted, begin, outcome));
        } else if (move instanceof Terminator.Move.Close close) {
            errand.send(context.writers(shard), close.commit(), outcome -> closed(errand, wanted, close, outcome));
        }
    }

    /** A run whose start is behind this item, because the store's clock was set back, is terminated after that. */
    private void missing(OutboxCommand errand, Message.TerminateRun wanted) {
        if (context.store().outgoing(errand.shard(), wanted.runId()).items().isEmpty()) {
            errand.done();
        } else {
            errand.later();
        }
    }

    private void begun(
            OutboxCommand errand, Message.TerminateRun wanted, Terminator.Move.Begin begin, StartOutcome outcome) {
        if (outcome instanceof StartOutcome.Rejected rejected) {
            drop(errand, rejected.reason());
        } else if (!(outcome instanceof StartOutcome.Unknown) && terminator.hasBegun(begin, outcome)) {
            terminate(errand, wanted);
        } else {
            heldUp(errand, outcome instanceof StartOutcome.Fenced);
        }
    }

    private void closed(
            OutboxCommand errand, Message.TerminateRun wanted, Terminator.Move.Close close, CommitOutcome outcome) {
        if (outcome instanceof CommitOutcome.Committed committed) {
            terminator.closed(close, committed);
            errand.done();
        } else if (outcome instanceof CommitOutcome.Rejected rejected) {
            drop(errand, rejected.reason());
        } else if (outcome instanceof CommitOutcome.Fenced) {
            terminate(errand, wanted); // it has moved on
        } else {
            errand.heldUp();
        }
    }
}
