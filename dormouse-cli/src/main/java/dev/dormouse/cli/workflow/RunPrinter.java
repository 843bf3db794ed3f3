package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import tools.jackson.databind.JsonNode;

/** A run in one line. */
final class RunPrinter {
    private RunPrinter() {}

    /** After something was done to it. */
    static void changed(Screen screen, JsonNode run, String what) {
        switch (screen.format()) {
            case JSON -> screen.json(run);
            case IDS -> screen.line(Json.text(run, "workflowId"));
            case TABLE ->
                screen.line(what + " "
                        + screen.style().bold(Text.clean(Json.text(run, "workflowId"))) + ": "
                        + screen.style().status(Json.text(run, "status")) + ", type "
                        + Text.clean(Json.text(run, "type")) + ", run " + Json.text(run, "runId"));
        }
    }

    /** What it waits for, as far as its row tells. */
    static String next(Screen screen, JsonNode run) {
        String trouble = Json.text(run, "trouble");
        if (!trouble.isEmpty()) {
            return trouble;
        }
        if (!Json.text(run, "closedAt").isEmpty()) {
            return "";
        }
        String reason = WakeReasons.text(Json.text(run, "wakeReason"));
        return Json.instant(run, "wakeAt")
                .map(at -> (reason + " " + screen.times().cell(at)).strip())
                .orElse(reason);
    }
}
