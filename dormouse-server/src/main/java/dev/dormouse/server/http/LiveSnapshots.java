package dev.dormouse.server.http;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.error.DormouseException;
import dev.dormouse.inspect.RunDescription;
import dev.dormouse.server.api.Api;
import dev.dormouse.server.api.ApiRequest;
import dev.dormouse.server.api.ApiResponse;
import dev.dormouse.server.api.Caller;
import dev.dormouse.server.api.Role;
import dev.dormouse.server.api.Router;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Snapshots of what stream clients watch. */
final class LiveSnapshots {
    private static final JsonMapper MAPPER = new JsonMapper();
    private static final Caller SELF = new Caller("stream", Role.READER);

    /**
     * The current state of something that clients watch.
     *
     * @param state changes whenever the clients must be told
     * @param json the message to send
     */
    record Snapshot(String state, String json) {}

    private final Api api;
    private final Dormouse dormouse;

    LiveSnapshots(Api api, Dormouse dormouse) {
        this.api = api;
        this.dormouse = dormouse;
    }

    @Nullable
    Snapshot overview() {
        ObjectNode overview = get("/overview");
        if (overview == null) {
            return null;
        }
        ObjectNode message = MAPPER.createObjectNode();
        message.set("now", overview.get("now"));
        message.set("overview", overview.deepCopy());
        overview.remove("now");
        return new Snapshot(overview.toString(), message.toString());
    }

    @Nullable
    Snapshot nodes() {
        ObjectNode nodes = get("/nodes");
        return nodes == null ? null : new Snapshot(nodes.toString(), nodes.toString());
    }

    private @Nullable ObjectNode get(String path) {
        ApiResponse response = api.handle(new ApiRequest("GET", Router.BASE + path, Map.of(), new byte[0], SELF));
        return response.isError() ? null : (ObjectNode) MAPPER.readTree(response.body());
    }

    /** Returns the latest run of a workflow id; null if there is none. */
    @Nullable
    Snapshot run(String workflowId) {
        try {
            return dormouse.find(workflowId, JsonNode.class)
                    .map(WorkflowHandle::summary)
                    .map(LiveSnapshots::of)
                    .orElse(null);
        } catch (DormouseException notAnId) {
            return null;
        }
    }

    private static Snapshot of(RunDescription run) {
        ObjectNode message = MAPPER.createObjectNode();
        message.put("workflowId", run.workflowId());
        message.put("runId", run.runId().toString());
        message.put("status", run.status().name());
        String state = run.runId() + " " + run.status() + " " + run.historyLength() + " " + run.wakeAt() + run.node();
        return new Snapshot(state, message.toString());
    }
}
