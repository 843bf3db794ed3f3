package dev.dormouse.internal.engine.command;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
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
import dev.dormouse.internal.run.FailedElsewhere;
import dev.dormouse.internal.run.Lanes;
import dev.dormouse.internal.run.RunCode;
import dev.dormouse.internal.thread.Gate;
import dev.dormouse.internal.thread.Nanos;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.event.Question;
import dev.dormouse.store.run.RunRow;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Queries to the code of runs. A query is answered on this node if its code is present and matches; otherwise it is
 * stored, and a node that has the code answers. A query reads the committed history and changes nothing, so repeating
 * one is harmless. Thread-safe.
 */
public final class QueryCalls {
    private static final Duration FIRST_LOOK = Duration.ofMillis(20);
    private static final Duration LAST_LOOK = Duration.ofSeconds(1);
    private static final Duration OLD = Duration.ofHours(1);

    private final NodeContext context;
    private final ServedCode served;
    private final UnresponsiveCode unresponsive;
    private final Map<UUID, Gate> waiting = new ConcurrentHashMap<>();

    public QueryCalls(NodeContext context, ServedCode served, UnresponsiveCode unresponsive) {
        this.context = context;
        this.served = served;
        this.unresponsive = unresponsive;
    }

    public Payload ask(RunRow run, String name, List<Payload> arguments, Duration atMost) {
        return served.code(run.type()) == null
                ? askOthers(run, name, arguments, atMost, null)
                : ask(run, events(run), name, arguments, atMost);
    }

    /** Queries a run whose history was read before. */
    public Payload ask(RunRow run, List<Event> events, String name, List<Payload> arguments, Duration atMost) {
        RunCode code = served.code(run.type());
        if (code == null) {
            return askOthers(run, name, arguments, atMost, null);
        }
        try {
            return unresponsive.query(code, run, events, name, arguments);
        } catch (CodeMismatch otherBuild) {
            return askOthers(run, name, arguments, atMost, otherBuild);
        }
    }

    private List<Event> events(RunRow run) {
        return History.read(run, context.store().histories(run.shard(), List.of(run.runId())));
    }

    /** Notifies the caller of a question that another node has answered it. */
    public void replied(UUID question) {
        Gate gate = waiting.get(question);
        if (gate != null) {
            gate.open();
        }
    }

    private Payload askOthers(
            RunRow run, String name, List<Payload> arguments, Duration atMost, @Nullable CodeMismatch otherBuild) {
        if (context.store().isExclusive()) {
            throw otherBuild == null ? unanswered(run, name, atMost) : otherBuild;
        }
        UUID id = context.ids().run(context.clock().latest());
        Gate gate = context.threads().newGate();
        waiting.put(id, gate);
        try {
            byte[] payload = MessageCodec.encode(new Message.Signal(name, arguments));
            context.store()
                    .ask(run.shard(), new Question(id, run.runId(), run.workflowId(), Lanes.of(run.type()), payload));
            Event.UpdateAnswered reply = await(run, id, gate, atMost);
            if (reply == null) {
                throw otherBuild == null ? unanswered(run, name, atMost) : otherBuild;
            }
            return value(reply);
        } finally {
            waiting.remove(id);
            forget(run.shard(), id);
        }
    }

    private void forget(int shard, UUID id) {
        try {
            context.store().forget(shard, List.of(id), OLD);
        } catch (StoreException noAnswer) {
            context.stalled(noAnswer); // a later question deletes it when it is old
        }
    }

    private Event.@Nullable UpdateAnswered await(RunRow run, UUID id, Gate gate, Duration atMost) {
        long giveUp = context.threads().nanoTime() + Nanos.of(atMost);
        Duration pause = FIRST_LOOK;
        while (context.threads().nanoTime() - giveUp < 0) {
            context.store().notify(List.of(new Notice.Asked(run.shard(), Lanes.of(run.type()))));
            long left = giveUp - context.threads().nanoTime();
            gate.pass(Duration.ofNanos(Math.max(1, Math.min(left, pause.toNanos()))));
            Optional<byte[]> reply = context.store().reply(run.shard(), id);
            if (reply.isPresent()) {
                return (Event.UpdateAnswered) EventCodec.decode(reply.get()).get(0);
            }
            pause = pause.multipliedBy(2).compareTo(LAST_LOOK) < 0 ? pause.multipliedBy(2) : LAST_LOOK;
        }
        return null;
    }

    private static Payload value(Event.UpdateAnswered reply) {
        Failure failure = reply.failure();
        if (failure != null) {
            throw new FailedElsewhere(failure);
        }
        return reply.result();
    }

    private static DormouseException unanswered(RunRow run, String name, Duration atMost) {
        return new DormouseException(
                ErrorCode.NOT_ANSWERED,
                "Expected a node that has the code of workflow type '" + run.type() + "' to answer query '" + name
                        + "' within " + atMost + ", but none did. Start one, or ask again later.");
    }
}
