package dev.dormouse.cli.operate;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.GroupCommand;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(name = "event", description = "Publish events that workflows wait for.")
public final class EventCommand extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(Publish.class);
    }

    @Command(
            name = "publish",
            description = "Publishes an event to every run that waits for it, now or within the next minute.",
            footer = {"", "Example: dormouse event publish payment '{\"order\": \"o-17\"}'"})
    static final class Publish extends ApiCommand {
        @Parameters(index = "0", paramLabel = "NAME", description = "The name of the event.")
        private String name = "";

        @Parameters(
                index = "1",
                arity = "0..1",
                paramLabel = "PAYLOAD",
                description = "The value that the runs receive: JSON, @FILE or @-.")
        private @Nullable String payload;

        @Option(names = "--key", paramLabel = "KEY", description = "Publishing twice with the same key has no effect.")
        private @Nullable String key;

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            ObjectNode body = ApiJson.object().put("name", name);
            JsonInput.put(body, "payload", payload, environment());
            JsonNode answer = api.post(ApiPath.of("events"), ApiJson.put(body, "key", key));
            String id = ApiJson.text(answer, "id");
            screen.result(answer, id, () -> screen.line("Published " + name + " as " + id + "."));
            return ExitCode.OK;
        }
    }
}
