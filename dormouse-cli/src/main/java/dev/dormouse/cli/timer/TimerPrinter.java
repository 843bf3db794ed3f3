package dev.dormouse.cli.timer;

import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import tools.jackson.databind.JsonNode;

/** A timer in one line. */
final class TimerPrinter {
    private TimerPrinter() {}

    static void print(Screen screen, JsonNode timer, String what) {
        switch (screen.format()) {
            case JSON -> screen.json(timer);
            case IDS -> screen.line(Json.text(timer, "id"));
            case TABLE ->
                screen.line(what + " " + screen.style().bold(Text.clean(Json.text(timer, "id"))) + ": "
                        + screen.style().status(Json.text(timer, "status")) + what(timer)
                        + Json.instant(timer, "fireAt")
                                .map(at -> ", " + screen.times().both(at))
                                .orElse(""));
        }
    }

    /** A timer that was set in SQL may have no handler. */
    private static String what(JsonNode timer) {
        String handler = Text.clean(Json.text(timer, "handler"));
        return handler.isEmpty() ? "" : ", handler " + handler;
    }
}
