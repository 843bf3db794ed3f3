package dev.dormouse.internal.engine.loop;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.engine.context.NodeContext;
import dev.dormouse.internal.engine.run.ServedCode;
import dev.dormouse.internal.engine.run.UnresponsiveCode;
import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.EventCodec;
import dev.dormouse.internal.history.Failure;
import dev.dormouse.internal.history.History;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.run.CodeMismatch;
import dev.dormouse.internal.run.Lanes;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.event.Question;
import dev.dormouse.store.run.RunRow;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The loop that answers queries of other nodes on runs whose code is on this node. The asking node repeats its notice
 * until there is a reply. Several nodes may answer the same query; the first reply counts.
 *
 * <p>Any thread may call {@link #asked} and {@link #close}. Each query executes on a thread of its own, at most {@link
 * #AT_ONCE} at a time. Best effort: a query that is not answered here is answered after a later notice, or by another
 * node.
 */
public final class RemoteQueryLoop extends StoreLoop {
    private static final int AT_ONCE = 100;

    private final ServedCode served;
    private final UnresponsiveCode unresponsive;
    private final List<String> lanes;
    private final Set<UUID> inWork = ConcurrentHashMap.newKeySet();

    public RemoteQueryLoop(NodeContext context, ServedCode served, UnresponsiveCode unresponsive) {
        super(context);
        this.served = served;
        this.unresponsive = unresponsive;
        this.lanes = served.types().stream().map(Lanes::of).toList();
    }

    /** Wakes the loop if this node executes the types of this lane. */
    public void asked(String lane) {
        if (lanes.contains(lane)) {
            wake();
        }
    }

    @Override
    protected void turn() {
        await();
        attemptAllShards("Answering queries of other nodes failed; they will ask again", this::answerAll);
    }

    private void answerAll(int shard) {
        for (Question question : context.store().questions(shard, lanes, AT_ONCE)) {
            if (inWork.size() < AT_ONCE && inWork.add(question.id())) {
                try {
                    context.threads().startCode("query", () -> answer(shard, question));
                } catch (RejectedExecutionException | OutOfMemoryError noThread) {
                    inWork.remove(question.id());
                    throw noThread;
                }
            }
        }
    }

    private void answer(int shard, Question question) {
        try {
            Event.UpdateAnswered reply = reply(shard, question);
            if (reply != null) {
                context.store().reply(shard, question.id(), EventCodec.encode(List.of(reply)));
                context.store().notify(List.of(new Notice.Replied(question.id())));
            }
        } catch (StoreException noAnswer) {
            context.stalled(noAnswer);
        } finally {
            inWork.remove(question.id());
        }
    }

    /** Returns the reply, or null if a node with another build may know it. */
    private Event.@Nullable UpdateAnswered reply(int shard, Question question) {
        RunCode code = null;
        try {
            RunRow run = context.find(shard, question.workflowId(), question.runId());
            code = served.code(run.type());
            if (code == null) {
                return null;
            }
            List<Event> history = History.read(run, context.store().histories(shard, List.of(run.runId())));
            Message.Signal asked = (Message.Signal) MessageCodec.decode(Message.SIGNAL, question.payload());
            Payload result = unresponsive.query(code, run, history, asked.name(), asked.arguments());
            return new Event.UpdateAnswered(Instant.EPOCH, 0, false, result, null);
        } catch (CodeMismatch otherBuild) {
            return null;
        } catch (StoreException noAnswer) {
            throw noAnswer;
        } catch (DormouseException problem) {
            Failure kept = code == null ? Failure.of(problem) : code.keep(problem);
            return new Event.UpdateAnswered(Instant.EPOCH, 0, false, Payload.NOTHING, kept);
        }
    }
}
