package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.Answer;
import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Format;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import tools.jackson.databind.JsonNode;

/** How a run ended, asked for again and again until it did: an answer waits some seconds, a user for as long as he likes. */
final class Outcome {
    private static final Duration ONE_CALL = Duration.ofSeconds(10);

    private Outcome() {}

    static ExitCode print(ApiClient api, RunPicker run, Duration patience, InstantSource clock, Screen screen) {
        return print(screen, await(api, run, patience, clock));
    }

    private static JsonNode await(ApiClient api, RunPicker run, Duration patience, InstantSource clock) {
        Instant end = end(clock.instant(), patience);
        while (true) {
            Duration left = Duration.between(clock.instant(), end);
            Duration wait = left.isNegative() ? Duration.ZERO : left.compareTo(ONE_CALL) < 0 ? left : ONE_CALL;
            Answer answer = api.call("GET", run.path("result").with("wait", wait), null);
            if (answer.status() != 504 || wait.compareTo(ONE_CALL) < 0) {
                return answer.accepted();
            }
        }
    }

    private static Instant end(Instant now, Duration patience) {
        return patience.compareTo(Duration.ofDays(3_650)) > 0 ? now.plus(Duration.ofDays(3_650)) : now.plus(patience);
    }

    private static ExitCode print(Screen screen, JsonNode outcome) {
        String status = Json.text(outcome, "status");
        boolean isGood = status.equals("COMPLETED");
        if (screen.format() == Format.JSON) {
            screen.json(outcome);
        } else if (isGood) {
            screen.line(result(outcome));
        } else {
            throw new CommandFailed(ExitCode.FAILED, failure(outcome, status));
        }
        return isGood ? ExitCode.OK : ExitCode.FAILED;
    }

    private static String result(JsonNode outcome) {
        JsonNode result = outcome.path("result");
        return result.has("json") ? result.path("json").toPrettyString() : Text.clean(Json.value(result));
    }

    private static String failure(JsonNode outcome, String status) {
        JsonNode failure = outcome.path("failure");
        String message = Json.text(failure, "message");
        String type = Json.text(failure, "type");
        return "Expected the run to complete, but it ended as " + status
                + (message.isEmpty() && type.isEmpty() ? "." : ": " + Text.clean((type + ": " + message)));
    }
}
