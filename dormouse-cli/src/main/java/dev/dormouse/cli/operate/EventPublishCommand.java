package dev.dormouse.cli.operate;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "publish",
        description =
                "Publishes an event: every run that waits for it gets it, and those that begin to within a minute.",
        footer = {"", "Example: dormouse event publish payment '{\"order\": \"o-17\"}'"})
final class EventPublishCommand extends ApiCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "The event's name.")
    private String name = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "PAYLOAD", description = "What it tells: JSON, @FILE or @-.")
    private @Nullable String payload;

    @Option(names = "--key", paramLabel = "KEY", description = "An event with a key that was there before counts once.")
    private @Nullable String key;

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        ObjectNode body = Json.object().put("name", name);
        if (payload != null) {
            body.set("payload", JsonInput.one(payload, "payload", environment()));
        }
        if (key != null) {
            body.put("key", key);
        }
        JsonNode answer = api.post(ApiPath.of("events"), body);
        switch (screen.format()) {
            case JSON -> screen.json(answer);
            case IDS -> screen.line(Json.text(answer, "id"));
            case TABLE -> screen.line("Published " + name + " as " + Json.text(answer, "id") + ".");
        }
        return ExitCode.OK;
    }
}
