package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.Each;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Format;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Changes that are told in one line. */
final class Changes {
    private Changes() {}

    static ExitCode each(ApiClient api, List<String> ids, Screen screen, String action, JsonNode body, String done) {
        return Each.of(ids, screen, id -> {
            JsonNode answer = api.post(ApiPath.of("schedules", id, action), body);
            tell(screen, id, answer, done);
        });
    }

    static void tell(Screen screen, String id, JsonNode answer, String done) {
        if (screen.format() == Format.JSON) {
            screen.json(answer);
        } else if (screen.format() == Format.IDS) {
            screen.line(id);
        } else {
            String started = Json.text(answer, "startedId");
            screen.line(
                    done + " " + Text.clean(id) + (started.isEmpty() ? "." : ": started " + Text.clean(started) + "."));
        }
    }
}
