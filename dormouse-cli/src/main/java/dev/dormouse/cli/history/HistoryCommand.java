package dev.dormouse.cli.history;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.GroupCommand;
import dev.dormouse.cli.base.RunOptions;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

@Command(name = "history", description = "Show and export histories, and replay them with the current code.")
public final class HistoryCommand extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(Show.class, Export.class, ReplayCommand.class);
    }

    @Command(
            name = "show",
            description = {
                "Lists the events of a run.",
                "AT is the time of the run, as Workflow.now() returns it, and not the time of the commit. A version, a note, a "
                        + "message that the code sends and a takeover have the time of the event before them."
            })
    static final class Show extends ApiCommand {
        private static final int PAGE_SIZE = 1_000;

        @Mixin
        private final RunOptions options = new RunOptions();

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            ArrayNode events = events(api);
            switch (screen.format()) {
                case JSON -> screen.json(events);
                case IDS -> ApiJson.stream(events).forEach(event -> screen.line(ApiJson.text(event, "seq")));
                case TABLE -> print(screen, events);
            }
            return ExitCode.OK;
        }

        private ArrayNode events(ApiClient api) {
            ArrayNode events = ApiJson.array();
            String after = "";
            int size;
            do {
                size = events.size();
                JsonNode page =
                        api.get(options.path("history").with("after", after).with("limit", PAGE_SIZE));
                ApiJson.items(page).forEach(events::add);
                after = ApiJson.text(events.path(events.size() - 1), "seq");
            } while (events.size() == size + PAGE_SIZE);
            return events;
        }

        private static void print(Screen screen, ArrayNode events) {
            TextTable table = new TextTable("SEQ", "AT", "EVENT", "");
            ApiJson.stream(events)
                    .forEach(event -> table.row(
                            ApiJson.text(event, "seq"),
                            screen.cell(event, "at"),
                            ApiJson.text(event, "kind"),
                            ApiJson.text(event, "summary")));
            screen.table(table);
        }
    }

    @Command(
            name = "export",
            description =
                    "Writes the history of a run to a file for 'history replay' and tests. It contains inputs and results: "
                            + "check that they may leave production.")
    static final class Export extends ApiCommand {
        @Mixin
        private final RunOptions options = new RunOptions();

        @Parameters(index = "1", arity = "0..1", paramLabel = "FILE", description = "Default: standard output.")
        private @Nullable Path file;

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            String history = api.call("GET", options.path("export"), null).text();
            if (file == null) {
                screen.raw(history);
            } else {
                write(file, history);
                screen.line("Wrote " + file + ".");
            }
            return ExitCode.OK;
        }

        private static void write(Path file, String history) {
            try {
                Files.writeString(file, history);
            } catch (IOException e) {
                throw new CommandFailed(
                        ExitCode.FAILED,
                        "Expected to write " + file + ", but that failed (" + e + "). Check the folder.",
                        e);
            }
        }
    }
}
