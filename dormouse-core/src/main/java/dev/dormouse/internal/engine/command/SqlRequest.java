package dev.dormouse.internal.engine.command;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.engine.run.RunLog;
import dev.dormouse.internal.history.Message;
import dev.dormouse.internal.history.Origin;
import dev.dormouse.store.run.Outgoing;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * A request that was made in SQL: three lines of text in the outbox, with a verb, a name and JSON. It is translated
 * to the item that a run would have sent.
 */
final class SqlRequest {
    private static final int LINES = 3;
    private static final String JSON = "json";

    private SqlRequest() {}

    /** Returns the item as a run would have sent it. Items of other kinds are returned unchanged. */
    static Outgoing translated(Outgoing item) {
        return item.kind() == Message.SQL_REQUEST ? RunLog.outgoing(item.id(), item.workflowId(), message(item)) : item;
    }

    private static Message message(Outgoing item) {
        String[] lines = new String(item.payload(), StandardCharsets.UTF_8).split("\n", LINES);
        String verb = lines[0];
        if (lines.length < LINES || !verb.equals("start") && !verb.equals("signal")) {
            throw new DormouseException(
                    ErrorCode.HISTORY_TOO_NEW,
                    "Expected a request to start or to signal a workflow, but got '" + verb
                            + "'. Use the functions of this version of Dormouse.");
        }
        List<Payload> arguments =
                lines[2].isEmpty() ? List.of() : List.of(new Payload(JSON, lines[2].getBytes(StandardCharsets.UTF_8)));
        return verb.equals("start")
                ? new Message.StartRun(item.id(), lines[1], arguments, null, Map.of(), Origin.NONE)
                : new Message.Signal(lines[1], arguments);
    }
}
