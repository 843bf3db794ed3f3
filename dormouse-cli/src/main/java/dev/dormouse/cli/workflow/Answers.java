package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.term.Format;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import tools.jackson.databind.JsonNode;

/** What a run has answered. */
final class Answers {
    private Answers() {}

    static void print(JsonNode answer, Screen screen) {
        JsonNode result = answer.path("result");
        if (screen.format() == Format.JSON) {
            screen.json(answer);
        } else {
            screen.line(result.has("json") ? result.path("json").toPrettyString() : Text.clean(Json.value(result)));
        }
    }
}
