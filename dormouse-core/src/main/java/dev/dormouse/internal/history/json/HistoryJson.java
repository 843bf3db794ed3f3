package dev.dormouse.internal.history.json;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.history.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The JSON form of histories: a reader and a writer. */
public final class HistoryJson {
    private static final String FORMAT = "format";
    private static final String WORKFLOW_ID = "workflowId";
    private static final String RUN_ID = "runId";
    private static final String EVENTS = "events";

    private HistoryJson() {}

    /** Returns indented JSON that ends with a line break. */
    public static String write(SavedHistory history) {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.put(FORMAT, SavedHistory.FORMAT);
        root.put(WORKFLOW_ID, history.workflowId());
        root.put(RUN_ID, history.runId().toString());
        root.set(EVENTS, JsonOut.value(history.events()));
        return Json.FILE.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
    }

    /**
     * Reads a history.
     *
     * @param source a name for error messages, such as {@code history file x.json}
     * @throws DormouseException BAD_HISTORY_FILE with the place of the mistake
     */
    public static SavedHistory read(String json, String source) {
        Place root = new Place(source, "", parse(json, source));
        long format = root.field(FORMAT).number(Integer.MAX_VALUE);
        if (format != SavedHistory.FORMAT) {
            throw root.field(FORMAT).problem("format " + SavedHistory.FORMAT, "found " + format);
        }
        root.checkFields(Set.of(FORMAT, WORKFLOW_ID, RUN_ID, EVENTS));
        String workflowId = root.field(WORKFLOW_ID).text();
        UUID runId = (UUID) JsonIn.value(root.field(RUN_ID), UUID.class);
        return new SavedHistory(workflowId, runId, events(root.field(EVENTS)));
    }

    private static JsonNode parse(String json, String source) {
        try {
            return Json.FILE.readTree(json);
        } catch (JacksonException notJson) {
            throw new DormouseException(
                    ErrorCode.BAD_HISTORY_FILE,
                    "Expected JSON in " + source + ", but it cannot be read: " + notJson.getOriginalMessage()
                            + " (line " + notJson.getLocation().getLineNr()
                            + "). Correct it, or export the history again.",
                    notJson);
        }
    }

    private static List<Event> events(Place place) {
        place.checkArray();
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < place.node().size(); i++) {
            Place item = place.item(i);
            Event event = (Event) JsonIn.sealed(item, Event.class);
            checkOrder(item, event, i == 0, i == place.node().size() - 1);
            events.add(event);
        }
        if (events.isEmpty()) {
            throw place.problem("RunStarted and what came after it", "there are no events");
        }
        return List.copyOf(events);
    }

    private static void checkOrder(Place place, Event event, boolean isFirst, boolean isLast) {
        if (event instanceof Event.RunStarted != isFirst) {
            throw place.problem("RunStarted first and nowhere else", "found " + event.summary());
        } else if (event.isClosing() && !isLast) {
            throw place.problem("the end of the run as the last event", "found it before others: " + event.summary());
        }
    }
}
