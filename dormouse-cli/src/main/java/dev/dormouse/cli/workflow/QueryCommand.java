package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "query", description = "Asks a run something, which changes nothing, and prints its answer as JSON.")
final class QueryCommand extends ApiCommand {
    @Mixin
    private final RunPicker run = new RunPicker();

    @Parameters(index = "1", paramLabel = "NAME", description = "The query's name.")
    private String name = "";

    @Parameters(index = "2..*", paramLabel = "ARGUMENT", description = "JSON values, @FILE or @-.")
    private List<String> arguments = List.of();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        ObjectNode body = Json.object().put("name", name);
        body.set("arguments", JsonInput.all(arguments, "argument of the query", environment()));
        Answers.print(api.post(run.path("query"), body), screen);
        return ExitCode.OK;
    }
}
