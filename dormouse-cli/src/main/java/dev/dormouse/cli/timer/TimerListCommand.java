package dev.dormouse.cli.timer;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.api.Json;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.Pages;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Table;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
        name = "list",
        aliases = "ls",
        description = {
            "Lists all due times, earliest first: timers (set in Java or SQL), sleeps, deadlines, retries, starts and schedules.",
            "With --handler, --prefix or --status: only timers, including those that have fired."
        })
final class TimerListCommand extends ApiCommand {
    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "Only this kind: timer, sql, sleep, retry, timeout, start, pause or schedule.")
    private @Nullable String kind;

    @Option(names = "--handler", paramLabel = "NAME", description = "Only timers of this handler.")
    private @Nullable String handler;

    @Option(names = "--prefix", paramLabel = "PREFIX", description = "Only timers whose ids start with this.")
    private @Nullable String prefix;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            split = ",",
            description = "Only timers that are pending, fired, failed or canceled.")
    private List<String> status = List.of();

    @Mixin
    private final Pages pages = new Pages();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        if (handler == null && prefix == null && status.isEmpty()) {
            printDue(api, screen);
        } else {
            printTimers(api, screen);
        }
        return ExitCode.OK;
    }

    private void printDue(ApiClient api, Screen screen) {
        pages.print(
                api,
                ApiPath.of("timers").with("order", "due").with("kind", kind),
                screen,
                "id",
                new Table("KIND", "ID", "NAME", "DUE", "").paint("", screen.style()::red),
                (table, item) -> table.row(
                        Json.text(item, "kind"),
                        id(item),
                        Json.text(item, "name"),
                        screen.cell(item, "fireAt"),
                        item.path("overdue").asBoolean(false) ? "overdue" : ""),
                "Nothing is due. Set a timer with 'dormouse timer add HANDLER --in 30m'.");
    }

    private static String id(JsonNode item) {
        String id = Json.text(item, "id");
        return id.isEmpty() ? Json.text(item, "workflowId") : id;
    }

    private void printTimers(ApiClient api, Screen screen) {
        pages.print(
                api,
                ApiPath.of("timers")
                        .with("handler", handler)
                        .with("prefix", prefix)
                        .with("status", String.join(",", status).toUpperCase(Locale.ROOT)),
                screen,
                "id",
                new Table("ID", "HANDLER", "STATUS", "FIRES", "ATTEMPTS", "LAST FAILURE")
                        .paint("STATUS", screen.style()::status),
                (table, timer) -> table.row(
                        Json.text(timer, "id"),
                        Json.text(timer, "handler"),
                        Json.text(timer, "status"),
                        screen.cell(timer, "fireAt"),
                        Json.text(timer, "attempts"),
                        Json.text(timer, "lastFailure")),
                "No such timers.");
    }
}
