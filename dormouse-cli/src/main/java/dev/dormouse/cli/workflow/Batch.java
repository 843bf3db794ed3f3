package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Format;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The same change to one run, by its own call, or to many, by calls that carry many ids.
 *
 * @param action its name in the API
 * @param done what to say then
 * @param body what goes with it
 */
record Batch(String action, String done, ObjectNode body) {
    private static final int MOST_IDS = 1_000;

    ExitCode run(ApiClient api, List<String> ids, Screen screen) {
        if (ids.size() == 1 || body.has("key")) {
            ids.forEach(id -> one(api, id, screen));
            return ExitCode.OK;
        }
        int failed = 0;
        ArrayNode results = Json.array();
        for (int from = 0; from < ids.size(); from += MOST_IDS) {
            screen.progress(from + " of " + ids.size());
            List<String> some = ids.subList(from, Math.min(from + MOST_IDS, ids.size()));
            failed += many(api, some, screen, results);
        }
        screen.progress("");
        if (screen.format() == Format.JSON) {
            screen.json(results);
        } else if (failed > 0) {
            screen.remark(failed + " of " + ids.size() + " failed.");
        }
        return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private void one(ApiClient api, String id, Screen screen) {
        JsonNode answer = api.post(RunPicker.of(id, action), body);
        if (screen.format() == Format.JSON) {
            screen.json(answer);
        } else {
            said(id, screen);
        }
    }

    private void said(String id, Screen screen) {
        screen.line(screen.format() == Format.IDS ? id : done + " " + Text.clean(id) + ".");
    }

    private int many(ApiClient api, List<String> ids, Screen screen, ArrayNode results) {
        ObjectNode batch = body.deepCopy().put("action", action);
        ArrayNode list = batch.putArray("ids");
        ids.forEach(list::add);
        int failed = 0;
        for (JsonNode result : api.post(ApiPath.of("workflows", "batch"), batch).path("results")) {
            results.add(result);
            boolean isDone = result.path("ok").asBoolean(false);
            failed += isDone ? 0 : 1;
            if (screen.format() != Format.JSON) {
                tell(result, isDone, screen);
            }
        }
        return failed;
    }

    private void tell(JsonNode result, boolean isDone, Screen screen) {
        String id = Json.text(result, "id");
        if (isDone) {
            said(id, screen);
        } else {
            JsonNode error = result.path("error");
            String message = error.isValueNode() ? error.asString("") : Json.text(error, "message");
            screen.remark("dormouse: " + Text.clean(id + ": " + message));
        }
    }
}
