package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import dev.dormouse.cli.term.TimeFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A printer of runs, in one or two lines each. */
final class RunPrinter {
    private RunPrinter() {}

    /** Prints a run in one line after a change. */
    static void changed(Screen screen, JsonNode run, String change) {
        String id = ApiJson.text(run, "workflowId");
        screen.result(
                run,
                id,
                () -> screen.line(change + " " + screen.style().bold(Text.clean(id)) + ": "
                        + screen.style().status(ApiJson.text(run, "status")) + ", type "
                        + Text.clean(ApiJson.text(run, "type")) + ", run " + ApiJson.text(run, "runId")));
    }

    /** Returns the trouble of a run or its next alarm, for a table cell. */
    static String next(Screen screen, JsonNode run) {
        String trouble = ApiJson.text(run, "trouble");
        if (!trouble.isEmpty()) {
            return trouble;
        }
        if (!ApiJson.text(run, "closedAt").isEmpty()) {
            return "";
        }
        return (wakeReason(run) + " " + screen.cell(run, "wakeAt")).strip();
    }

    /** Prints the id, status and type of a run, and below it its end, its trouble or its waits. */
    static void headline(Screen screen, JsonNode run) {
        screen.line(screen.style().bold(Text.clean(ApiJson.text(run, "workflowId"))) + "  "
                + screen.style().status(ApiJson.text(run, "status")) + "  " + Text.clean(ApiJson.text(run, "type")));
        String state = state(screen, run);
        if (!state.isEmpty()) {
            screen.line(state);
        }
    }

    private static String state(Screen screen, JsonNode run) {
        Optional<Instant> closedAt = ApiJson.instant(run, "closedAt");
        if (closedAt.isPresent()) {
            return ended(screen, run, closedAt.get());
        }
        String trouble = ApiJson.text(run, "trouble");
        if (!trouble.isEmpty()) {
            return screen.style().yellow("In trouble: " + Text.clean(trouble));
        }
        List<String> reported = ApiJson.stream(run.path("waits"))
                .map(wait -> wait(
                        screen, ApiJson.text(wait, "kind"), ApiJson.text(wait, "name"), ApiJson.instant(wait, "until")))
                .toList();
        List<String> waits = reported.isEmpty() ? waitsOfTimeline(screen, run) : reported;
        return waits.isEmpty() ? alarm(screen, run) : "Waits for " + String.join(", or ", waits) + ".";
    }

    private static String ended(Screen screen, JsonNode run, Instant closedAt) {
        String took = ApiJson.instant(run, "startedAt")
                .map(startedAt -> " after " + TimeFormat.span(Duration.between(startedAt, closedAt)))
                .orElse("");
        String failure = ApiJson.text(run.path("failure"), "message");
        return "Ended " + screen.times().both(closedAt) + took + "."
                + (failure.isEmpty() ? "" : " " + screen.style().red(Text.clean(failure)));
    }

    /** Derives the waits from the timeline. Used if no live node reports them. */
    private static List<String> waitsOfTimeline(Screen screen, JsonNode run) {
        return ApiJson.stream(run.path("timeline").path("rows"))
                .filter(row -> !ApiJson.text(row, "kind").equals("run"))
                .flatMap(row -> ApiJson.stream(row.path("bars"))
                        .filter(bar -> ApiJson.text(bar, "state").equals("waiting"))
                        .filter(bar -> ApiJson.instant(bar, "to")
                                .map(to -> to.isAfter(screen.times().now()))
                                .orElse(true))
                        .map(bar -> wait(screen, ApiJson.text(row, "kind"), "", ApiJson.instant(bar, "to"))))
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
        return ApiJson.instant(run, "wakeAt")
                .map(at -> "Next: " + (reason.isEmpty() ? "alarm" : reason) + " "
                        + screen.times().both(at) + ".")
                .orElse("");
    }

    /** Returns the reason of the next alarm, worded so that an instant can follow. */
    private static String wakeReason(JsonNode run) {
        String reason = ApiJson.text(run, "wakeReason");
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
            case "PAUSE" -> "paused activity resumes";
            default -> reason.toLowerCase(Locale.ROOT).replace('_', ' ');
        };
    }
}
