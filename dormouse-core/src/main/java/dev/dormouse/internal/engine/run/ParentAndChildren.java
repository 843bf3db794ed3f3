package dev.dormouse.internal.engine.run;

import dev.dormouse.internal.history.Event;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.MessageCodec;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.internal.history.ParentClose;
import dev.dormouse.store.run.InboxMessage;
import dev.dormouse.store.run.Outgoing;
import dev.dormouse.store.run.RunRow;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The parent of a run and its open children: the runs that it notifies when it closes. The messages are part of the
 * commit that closes the run. The outbox loop of any node delivers them, so no message is lost if this node or the
 * parent's node dies. A failover loses both the end and its messages, or neither. A delivery that it has lost is
 * repeated, see {@code OutboxScan}. Confined to the run's thread.
 */
public final class ParentAndChildren {
    private final UUID runId;
    private final Event.RunStarted started;
    private final Origin.@Nullable Parent parent;
    private final Map<Integer, Event.ChildRequested> children = new LinkedHashMap<>();

    public ParentAndChildren(RunRow run, List<Event> history) {
        this.runId = run.runId();
        this.started = (Event.RunStarted) history.get(0);
        this.parent = started.origin().parent();
        history.forEach(this::note);
    }

    void note(Event event) {
        if (event instanceof Event.ChildRequested child) {
            children.put(child.call(), child);
        } else if (event instanceof Event.MailReceived received && !children.isEmpty()) {
            received.items().forEach(this::note);
        }
    }

    private void note(InboxMessage item) {
        if (item.kind() == Message.CHILD_ENDED
                && MessageCodec.decode(item.kind(), item.payload()) instanceof Message.ChildEnded ended
                && started.own(runId, ended).parentRunId().equals(runId)) {
            children.remove(ended.call());
        }
    }

    /**
     * Returns the outbox items of the commit that closes the run: its end for the parent, and requests to cancel or
     * terminate open children. A run that continues as new sends its parent nothing; the last run of the chain does.
     */
    public List<Outgoing> finalMessages(Event closing) {
        List<Outgoing> out = new ArrayList<>();
        if (parent != null && !(closing instanceof Event.RunContinued)) {
            Message ended = new Message.ChildEnded(parent.runId(), parent.call(), closing);
            out.add(outgoing("parent", parent.workflowId(), ended));
        }
        for (Event.ChildRequested child : children.values()) {
            if (child.parentClose() == ParentClose.CANCEL) {
                Message cancel = new Message.Cancel(child.runId(), "its parent has closed");
                out.add(outgoing("child " + child.call(), child.workflowId(), cancel));
            } else if (child.parentClose() == ParentClose.TERMINATE) {
                Message terminate = new Message.TerminateRun(child.runId(), "its parent has closed");
                out.add(outgoing("child " + child.call(), child.workflowId(), terminate));
            }
        }
        return out;
    }

    /**
     * Returns an item whose id is the same for every node that closes the run and for every retry, so that it takes
     * effect once.
     */
    private Outgoing outgoing(String recipient, String workflowId, Message message) {
        UUID id = UUID.nameUUIDFromBytes((runId + " " + recipient).getBytes(StandardCharsets.UTF_8));
        return new Outgoing(id, workflowId, message.kind(), MessageCodec.encode(message));
    }
}
