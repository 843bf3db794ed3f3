package dev.dormouse.internal.event;

import dev.dormouse.IdReuse;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.engine.Node;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.run.EventTypes;
import dev.dormouse.internal.run.NewRun;
import dev.dormouse.internal.value.EngineOptions;
import dev.dormouse.internal.value.Ids;
import dev.dormouse.internal.value.Payloads;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The publisher of events on a node. Publishing an event starts a run that delivers it to the waiting runs.
 * Thread-safe.
 */
public final class NodeEvents {
    private final Node node;
    private final Payloads payloads;

    public NodeEvents(Node node, Payloads payloads) {
        this.node = node;
        this.payloads = payloads;
    }

    /**
     * Publishes an event under a new id, and returns the id.
     *
     * @param start starts the run of the event, by itself or in a transaction
     */
    public String publish(Consumer<NewRun> start, String event, @Nullable Object payload) {
        return publish(start, node.newId(), event, payload);
    }

    public String publish(Consumer<NewRun> start, String id, String event, @Nullable Object payload) {
        Ids.checkEvent(event);
        Ids.checkKey(id);
        String workflowId = EventTypes.workflowId(event, id);
        Ids.checkWorkflowId(workflowId);
        Payload encoded = payloads.encode(payload);
        start.accept(new NewRun(
                workflowId,
                EventTypes.EVENT,
                EventCode.input(event, EventForms.Kept.of(id, encoded, keys(encoded))),
                null,
                null,
                null,
                Map.of(),
                Origin.NONE,
                EngineOptions.replaces(IdReuse.RETURN_CLOSED)));
        return id;
    }

    /**
     * Returns the keys of an event. They are computed here, because this node has the codec that encoded the payload;
     * other nodes may not be able to read it.
     */
    private Set<String> keys(Payload encoded) {
        Object value;
        try {
            value = payloads.decode(encoded, Object.class);
        } catch (DormouseException noValues) {
            value = Map.of();
        }
        return EventMatch.keys(value);
    }
}
