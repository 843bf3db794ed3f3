package dev.dormouse.engine;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.history.Event;
import dev.dormouse.history.Failure;
import dev.dormouse.history.Message;
import dev.dormouse.history.MessageCodec;
import dev.dormouse.history.Origin;
import dev.dormouse.store.DeliverOutcome;
import dev.dormouse.store.Delivery;
import dev.dormouse.store.Outgoing;
import dev.dormouse.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What runs have the engine do to others: start them, or end them. Doing so twice does no harm. */
final class Errands {
    private static final Logger LOG = LoggerFactory.getLogger(Errands.class);

    private final Starter starter;
    private final Mailman mailman;
    private final Terminator terminator;
    private final SecondBorn secondBorn;
    private final Engine engine;

    Errands(Engine engine, Starter starter, Mailman mailman, Terminator terminator) {
        this.engine = engine;
        this.starter = starter;
        this.mailman = mailman;
        this.terminator = terminator;
        this.secondBorn = new SecondBorn(engine, starter);
    }

    boolean isErrand(Outgoing item) {
        return item.kind() == Message.START_RUN
                || item.kind() == Message.START_QUEUED_RUN
                || item.kind() == Message.TERMINATE_RUN;
    }

    /** Tells whether it is done, or can never be. */
    boolean run(Outgoing item) {
        try {
            Message message = MessageCodec.decode(item.kind(), item.payload());
            if (message instanceof Message.StartRun start) {
                return start(item.workflowId(), start);
            } else if (message instanceof Message.TerminateRun terminate) {
                terminator.terminate(
                        starter.shard(item.workflowId()), item.workflowId(), terminate.runId(), terminate.reason());
            }
            return true;
        } catch (DormouseException problem) {
            if (problem.code() == ErrorCode.STORE_FAILED || problem.code() == ErrorCode.STORE_UNAVAILABLE) {
                return false; // the next sweep sees that it is still there
            }
            LOG.warn("Errand {} for workflow id '{}' is dropped", item.id(), item.workflowId(), problem);
            return true;
        }
    }

    private boolean start(String workflowId, Message.StartRun start) {
        try {
            if (starter.start(workflowId, start) || start.origin().continues() != null) {
                return true; // also if it had been started, and has gone on from there
            }
            SecondBorn.Place place = secondBorn.find(workflowId, start);
            if (place == SecondBorn.Place.FREE_SOON) {
                return false; // the next sweep sees whether it is
            } else if (place == SecondBorn.Place.FREE) {
                return starter.startInPlace(workflowId, start);
            }
        } catch (StoreException noAnswer) {
            if (noAnswer.code() == ErrorCode.STORE_UNAVAILABLE || noAnswer.code() == ErrorCode.DORMOUSE_CLOSED) {
                return false;
            }
            return tellParent(start, noAnswer);
        }
        return tellParent(
                start,
                new DormouseException(
                        ErrorCode.WORKFLOW_ID_TAKEN,
                        "Expected to start a child under workflow id '" + workflowId
                                + "', but that has a run already. Choose another id for the child."));
    }

    private boolean tellParent(Message.StartRun start, DormouseException why) {
        Origin.Parent parent = start.origin().parent();
        if (parent == null) {
            return true;
        }
        Event failed = new Event.RunFailed(engine.clock().latest(), Failure.of(why));
        Message ended = new Message.ChildEnded(parent.runId(), parent.call(), failed);
        String key = start.runId() + " not started";
        Delivery delivery = new Delivery(parent.workflowId(), key, ended.kind(), MessageCodec.encode(ended));
        DeliverOutcome outcome = mailman.deliver(starter.shard(parent.workflowId()), delivery);
        return !(outcome instanceof DeliverOutcome.Unknown || outcome instanceof DeliverOutcome.Locked);
    }
}
