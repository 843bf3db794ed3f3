package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import dev.dormouse.cli.term.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Prints a run in one or two lines. */
final class RunPrinter {
    private RunPrinter() {}

    /** Prints a run in one line after a change. */
    static void changed(Screen screen, JsonNode run, String change) {
        String id = Json.text(run, "workflowId");
        screen.result(
                run,
                id,
                () -> screen.line(change + " " + screen.style().bold(Text.clean(id)) + ": "
                        + screen.style().status(Json.text(run, "status")) + ", type "
                        + Text.clean(Json.text(run, "type")) + ", run " + Json.text(run, "runId")));
    }

    /** Returns the trouble of a run or its next alarm, for a table cell. */
    static String next(Screen screen, JsonNode run) {
        String trouble = Json.text(run, "trouble");
        if (!trouble.isEmpty()) {
            return trouble;
        }
        if (!Json.text(run, "closedAt").isEmpty()) {
            return "";
        }
        return (wakeReason(run) + " " + screen.cell(run, "wakeAt")).strip();
    }

    /** Prints the id, status and type of a run, and below it its end, its trouble or its waits. */
    static void headline(Screen screen, JsonNode run) {
        screen.line(screen.style().bold(Text.clean(Json.text(run, "workflowId"))) + "  "
                + screen.style().status(Json.text(run, "status")) + "  " + Text.clean(Json.text(run, "type")));
        String state = state(screen, run);
        if (!state.isEmpty()) {
            screen.line(state);
        }
    }

    private static String state(Screen screen, JsonNode run) {
        Optional<Instant> closedAt = Json.instant(run, "closedAt");
        if (closedAt.isPresent()) {
            return ended(screen, run, closedAt.get());
        }
        String trouble = Json.text(run, "trouble");
        if (!trouble.isEmpty()) {
            return screen.style().yellow("In trouble: " + Text.clean(trouble));
        }
        List<String> reported = Json.stream(run.path("waits"))
                .map(wait ->
                        wait(screen, Json.text(wait, "kind"), Json.text(wait, "name"), Json.instant(wait, "until")))
                .toList();
        List<String> waits = reported.isEmpty() ? waitsOfTimeline(screen, run) : reported;
        return waits.isEmpty() ? alarm(screen, run) : "Waits for " + String.join(", or ", waits) + ".";
    }

    private static String ended(Screen screen, JsonNode run, Instant closedAt) {
        String took = Json.instant(run, "startedAt")
                .map(startedAt -> " after " + Times.span(Duration.between(startedAt, closedAt)))
                .orElse("");
        String failure = Json.text(run.path("failure"), "message");
        return "Ended " + screen.times().both(closedAt) + took + "."
                + (failure.isEmpty() ? "" : " " + screen.style().red(Text.clean(failure)));
    }

    /** Derives the waits from the timeline. Used if no live node reports them. */
    private static List<String> waitsOfTimeline(Screen screen, JsonNode run) {
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
        String reason = wakeReason(run);
        return Json.instant(run, "wakeAt")
                .map(at -> "Next: " + (reason.isEmpty() ? "alarm" : reason) + " "
                        + screen.times().both(at) + ".")
                .orElse("");
    }

    /** Returns the reason of the next alarm, worded so that an instant can follow. */
    private static String wakeReason(JsonNode run) {
        String reason = Json.text(run, "wakeReason");
        return switch (reason.toUpperCase(Locale.ROOT)) {
            case "START" -> "starts";
            case "TIMER" -> "sleep or deadline ends";
            case "RETRY" -> "next attempt of a step";
            case "TIMEOUT" -> "execution timeout";
            case "LEASE", "CLAIMED", "PROBATION" -> "executing, lease ends";
            case "PARK", "LINGER" -> "waits in memory, at most until";
            case "MAIL" -> "mail is there";
            case "HANDOVER" -> "goes to another node";
            case "BACKOFF" -> "held back after takeovers";
            case "STUCK" -> "stuck, tried again";
            case "RATE" -> "starts, by its queue's rate";
            case "PAUSE" -> "paused activity goes on";
            default -> reason.toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }
}
