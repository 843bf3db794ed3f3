package dev.dormouse;

import dev.dormouse.codec.Payload;
import dev.dormouse.engine.EventTypes;
import dev.dormouse.engine.NewRun;
import dev.dormouse.engine.Node;
import dev.dormouse.history.Origin;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Events on a node: publishing one starts a run that brings it to those who wait. */
final class NodeEvents {
    private final Node node;
    private final Payloads payloads;
    private final EventDesk desk;

    NodeEvents(Node node, Payloads payloads, EventDesk desk) {
        this.node = node;
        this.payloads = payloads;
        this.desk = desk;
    }

    /** @param start of its run, by itself or in a transaction */
    String publish(Consumer<NewRun> start, String event, @Nullable Object payload) {
        return publish(start, node.newId(), event, payload);
    }

    String publish(Consumer<NewRun> start, String id, String event, @Nullable Object payload) {
        Ids.checkEvent(event);
        Ids.checkKey(id);
        String workflowId = EventTypes.workflowId(event, id);
        Ids.checkWorkflowId(workflowId);
        Payload encoded = payloads.encode(payload);
        EventMatch.keys(desk.read(encoded)); // one that nobody could look at is refused now, not later
        start.accept(new NewRun(
                workflowId,
                EventTypes.EVENT,
                EventCode.input(event, id, encoded),
                null,
                null,
                null,
                Map.of(),
                Origin.NONE,
                IdReuse.RETURN_CLOSED.replaces()));
        return id;
    }
}
