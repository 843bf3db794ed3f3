package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiResult;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.RunOptions;
import dev.dormouse.cli.base.TimeArguments;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "result", description = "Prints the result of a run as JSON, or its failure.")
final class ResultCommand extends ApiCommand {
    /** The longest wait of one request. Longer waits take several. */
    private static final Duration ONE_REQUEST = Duration.ofSeconds(10);

    private static final Duration MAX_WAIT = Duration.ofDays(3_650);

    @Mixin
    private final RunOptions run = new RunOptions();

    @Option(names = "--wait", paramLabel = "DURATION", description = "How long to wait for the end. Default: 0s.")
    private String wait = "PT0S";

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        return await(
                api, run, TimeArguments.duration(wait, "--wait"), environment().clock(), screen);
    }

    /** Waits for the end of a run and prints its result. Throws if the run failed or {@code timeout} expires. */
    static ExitCode await(ApiClient api, RunOptions run, Duration timeout, InstantSource clock, Screen screen) {
        Instant end = clock.instant().plus(timeout.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : timeout);
        while (true) {
            Duration left = Duration.between(clock.instant(), end);
            Duration wait = left.isNegative() ? Duration.ZERO : left.compareTo(ONE_REQUEST) < 0 ? left : ONE_REQUEST;
            ApiResult answer = api.call("GET", run.path("result").with("wait", wait), null);
            if (answer.status() != 504 || wait.compareTo(ONE_REQUEST) < 0) {
                return print(screen, answer.accepted());
            }
        }
    }

    private static ExitCode print(Screen screen, JsonNode outcome) {
        String status = ApiJson.text(outcome, "status");
        boolean isCompleted = status.equals("COMPLETED");
        if (!isCompleted && screen.format() != Screen.Format.JSON) {
            throw new CommandFailed(ExitCode.FAILED, failure(outcome, status));
        }
        printResult(outcome, screen);
        return isCompleted ? ExitCode.OK : ExitCode.FAILED;
    }

    /** Prints the field {@code result} of a response, or the whole response in the format JSON. */
    static void printResult(JsonNode response, Screen screen) {
        JsonNode result = response.path("result");
        if (screen.format() == Screen.Format.JSON) {
            screen.json(response);
        } else {
            screen.line(result.has("json") ? result.path("json").toPrettyString() : Text.clean(ApiJson.value(result)));
        }
    }

    private static String failure(JsonNode outcome, String status) {
        String message = ApiJson.text(outcome.path("failure"), "message");
        String type = ApiJson.text(outcome.path("failure"), "type");
        return "Expected the run to complete, but it ended as " + status
                + (message.isEmpty() && type.isEmpty() ? "." : ": " + Text.clean((type + ": " + message)));
    }
}
