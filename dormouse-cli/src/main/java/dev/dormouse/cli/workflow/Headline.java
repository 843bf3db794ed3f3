package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import dev.dormouse.cli.term.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A run at a glance: what it is, and what it waits for. */
final class Headline {
    private Headline() {}

    static void print(Screen screen, JsonNode run) {
        String status = Json.text(run, "status");
        screen.line(screen.style().bold(Text.clean(Json.text(run, "workflowId"))) + "  "
                + screen.style().status(status) + "  " + Text.clean(Json.text(run, "type")));
        String glance = glance(screen, run);
        if (!glance.isEmpty()) {
            screen.line(glance);
        }
    }

    private static String glance(Screen screen, JsonNode run) {
        Optional<Instant> closedAt = Json.instant(run, "closedAt");
        if (closedAt.isPresent()) {
            return ended(screen, run, closedAt.get());
        }
        String trouble = Json.text(run, "trouble");
        if (!trouble.isEmpty()) {
            return screen.style().yellow("In trouble: " + Text.clean(trouble));
        }
        List<String> waits =
                Json.stream(run.path("waits")).map(wait -> wait(screen, wait)).toList();
        List<String> known = waits.isEmpty() ? drawn(screen, run) : waits;
        return known.isEmpty() ? alarm(screen, run) : "Waits for " + String.join(", or ", known) + ".";
    }

    private static String ended(Screen screen, JsonNode run, Instant closedAt) {
        String took = Json.instant(run, "startedAt")
                .map(startedAt -> " after " + Times.span(Duration.between(startedAt, closedAt)))
                .orElse("");
        String failure = Json.text(run.path("failure"), "message");
        return "Ended " + screen.times().both(closedAt) + took + "."
                + (failure.isEmpty() ? "" : " " + screen.style().red(Text.clean(failure)));
    }

    /** What is waited for by the timeline, where no live node knows more. */
    private static List<String> drawn(Screen screen, JsonNode run) {
        return Json.stream(run.path("timeline").path("rows"))
                .filter(row -> !Json.text(row, "kind").equals("run"))
                .flatMap(row -> Json.stream(row.path("bars"))
                        .filter(bar -> Json.text(bar, "state").equals("waiting"))
                        .filter(bar -> Json.instant(bar, "to")
                                .map(to -> to.isAfter(screen.times().now()))
                                .orElse(true))
                        .map(bar -> wait(screen, Json.text(row, "kind"), "", Json.instant(bar, "to"))))
                .toList();
    }

    private static String wait(Screen screen, JsonNode wait) {
        return wait(screen, Json.text(wait, "kind"), Json.text(wait, "name"), Json.instant(wait, "until"));
    }

    private static String wait(Screen screen, String kind, String name, Optional<Instant> until) {
        String what = switch (kind) {
            case "sleep" -> "the end of a sleep";
            case "await" -> "a condition";
            case "retry" -> "the next attempt of step";
            case "start" -> "its start";
            default -> kind;
        };
        return what
                + (name.isEmpty() ? "" : " '" + Text.clean(name) + "'")
                + until.map(at -> " until " + screen.times().both(at)).orElse("");
    }

    private static String alarm(Screen screen, JsonNode run) {
        String reason = WakeReasons.text(Json.text(run, "wakeReason"));
        return Json.instant(run, "wakeAt")
                .map(at -> "Next: " + (reason.isEmpty() ? "alarm" : reason) + " "
                        + screen.times().both(at) + ".")
                .orElse("");
    }
}
