package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Ids;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "signal",
        description = "Sends a signal to the open run of a workflow id.",
        footer = {"", "Example: dormouse workflow signal order-17 approve '{\"by\": \"ada\"}'"})
final class SignalCommand extends ApiCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "The workflow id; - for ids on standard input.")
    private String id = "";

    @Parameters(index = "1", paramLabel = "NAME", description = "The signal's name.")
    private String name = "";

    @Parameters(index = "2..*", paramLabel = "ARGUMENT", description = "JSON values, @FILE or @-.")
    private List<String> arguments = List.of();

    @Option(names = "--key", paramLabel = "KEY", description = "A signal with a key that was there before counts once.")
    private @Nullable String key;

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        ObjectNode body = Json.object().put("name", name);
        body.set("arguments", JsonInput.all(arguments, "argument of the signal", environment()));
        if (key != null) {
            body.put("key", key);
        }
        return new Batch("signal", "Signalled", body).run(api, Ids.of(List.of(id), environment()), screen);
    }
}
