package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.base.Moments;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "update", description = "Changes something in a run, and prints its answer as JSON.")
final class UpdateCommand extends ApiCommand {
    @Mixin
    private final RunPicker run = new RunPicker();

    @Parameters(index = "1", paramLabel = "NAME", description = "The update's name.")
    private String name = "";

    @Parameters(index = "2..*", paramLabel = "ARGUMENT", description = "JSON values, @FILE or @-.")
    private List<String> arguments = List.of();

    @Option(
            names = "--update-id",
            paramLabel = "ID",
            description = "An update with an id that was there before counts once.")
    private @Nullable String updateId;

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            description = "How long to wait for the answer; 10s if not given.")
    private String wait = "10s";

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        ObjectNode body = Json.object().put("name", name);
        body.set("arguments", JsonInput.all(arguments, "argument of the update", environment()));
        body.put("wait", Moments.duration(wait, "--wait").toString());
        if (updateId != null) {
            body.put("id", updateId);
        }
        Answers.print(api.post(run.path("update"), body), screen);
        return ExitCode.OK;
    }
}
