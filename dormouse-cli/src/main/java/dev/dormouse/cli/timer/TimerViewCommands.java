package dev.dormouse.cli.timer;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.PagedList;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.BarChart;
import dev.dormouse.cli.term.NameValueList;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import dev.dormouse.cli.term.TextTable;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Commands that show timers: {@code timer show}, {@code list} and {@code histogram}. */
final class TimerViewCommands {
    private TimerViewCommands() {}

    /** The option {@code --sql}, which selects the timers that were set in SQL. */
    static final class SqlOption {
        @Option(names = "--sql", description = "Timers set in SQL. Their ids are numbers, or SHARD_KEY:NUMBER.")
        private boolean inSql;

        ApiPath path(String... segments) {
            return ApiPath.of(Stream.concat(Stream.of(inSql ? "sql-timers" : "timers"), Stream.of(segments))
                    .toArray(String[]::new));
        }
    }

    @Command(name = "show", description = "Shows a timer.")
    static final class Show extends ApiCommand {
        @Parameters(paramLabel = "ID", description = "The timer id.")
        private String id = "";

        @Mixin
        private final SqlOption sql = new SqlOption();

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            JsonNode timer = api.get(sql.path(id));
            print(screen, timer, "Timer");
            if (screen.format() == Screen.Format.TABLE) {
                (sql.inSql ? sqlFacts(timer, screen) : facts(timer, screen)).print(screen);
            }
            return ExitCode.OK;
        }

        private static NameValueList sqlFacts(JsonNode timer, Screen screen) {
            return new NameValueList()
                    .add("role", ApiJson.text(timer, "scheduledBy"))
                    .add("action", ApiJson.text(timer, "action"))
                    .add("attempts", ApiJson.text(timer, "attempts"))
                    .add("error", ApiJson.text(timer, "error"))
                    .add("SQL state", ApiJson.text(timer, "sqlState"))
                    .add("set", screen.time(timer, "createdAt"))
                    .add("fired", screen.time(timer, "firedAt"));
        }

        private static NameValueList facts(JsonNode timer, Screen screen) {
            return new NameValueList()
                    .add("attempts", ApiJson.text(timer, "attempts"))
                    .add("last failure", ApiJson.text(timer, "lastFailure"))
                    .add("key", ApiJson.text(timer, "key"))
                    .add("set", screen.time(timer, "scheduledAt"))
                    .add("ended", screen.time(timer, "endedAt"));
        }
    }

    /** Prints a timer in one line. A timer that was set in SQL may have no handler. */
    static void print(Screen screen, JsonNode timer, String title) {
        String id = ApiJson.text(timer, "id");
        String handler = Text.clean(ApiJson.text(timer, "handler"));
        screen.result(
                timer,
                id,
                () -> screen.line(title + " " + screen.style().bold(Text.clean(id)) + ": "
                        + screen.style().status(ApiJson.text(timer, "status"))
                        + (handler.isEmpty() ? "" : ", handler " + handler)
                        + ApiJson.instant(timer, "fireAt")
                                .map(at -> ", " + screen.times().both(at))
                                .orElse("")));
    }

    @Command(
            name = "list",
            aliases = "ls",
            description = {
                "Lists all due times, earliest first: timers (set in Java or SQL), sleeps, deadlines, retries, starts and schedules.",
                "With --handler, --prefix or --status: only timers, including those that have fired."
            })
    static final class ListDue extends ApiCommand {
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
                description = "Only timers that are pending, fired, failed or cancelled.")
        private List<String> status = List.of();

        @Mixin
        private final PagedList pages = new PagedList();

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
                    screen,
                    new PagedList.Listing(
                            ApiPath.of("timers").with("order", "due").with("kind", kind),
                            "id",
                            new TextTable("KIND", "ID", "NAME", "DUE", "").paint("", screen.style()::red),
                            (table, item) -> table.row(
                                    ApiJson.text(item, "kind"),
                                    id(item),
                                    ApiJson.text(item, "name"),
                                    screen.cell(item, "fireAt"),
                                    item.path("overdue").asBoolean(false) ? "overdue" : ""),
                            "Nothing is due. Set a timer with 'dormouse timer add HANDLER --in 30m'."));
        }

        private static String id(JsonNode item) {
            String id = ApiJson.text(item, "id");
            return id.isEmpty() ? ApiJson.text(item, "workflowId") : id;
        }

        private void printTimers(ApiClient api, Screen screen) {
            pages.print(
                    api,
                    screen,
                    new PagedList.Listing(
                            ApiPath.of("timers")
                                    .with("handler", handler)
                                    .with("prefix", prefix)
                                    .with("status", String.join(",", status).toUpperCase(Locale.ROOT)),
                            "id",
                            new TextTable("ID", "HANDLER", "STATUS", "FIRES", "ATTEMPTS", "LAST FAILURE")
                                    .paint("STATUS", screen.style()::status),
                            (table, timer) -> table.row(
                                    ApiJson.text(timer, "id"),
                                    ApiJson.text(timer, "handler"),
                                    ApiJson.text(timer, "status"),
                                    screen.cell(timer, "fireAt"),
                                    ApiJson.text(timer, "attempts"),
                                    ApiJson.text(timer, "lastFailure")),
                            "No such timers."));
        }
    }

    @Command(name = "histogram", description = "Draws a histogram of due timers, sleeps and deadlines over time.")
    static final class Histogram extends ApiCommand {

        /** The period that is drawn, from now. */
        enum Span {
            HOUR,
            DAY,
            WEEK,
            ALL
        }

        @Option(names = "--span", paramLabel = "SPAN", description = "hour, day, week or all. Default: hour.")
        private Span span = Span.HOUR;

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            JsonNode histogram = api.get(
                    ApiPath.of("timers", "histogram").with("span", span.name().toLowerCase(Locale.ROOT)));
            if (screen.format() == Screen.Format.JSON) {
                screen.json(histogram);
                return ExitCode.OK;
            }
            screen.line(screen.style().bold(count(histogram.path("total"))) + " due" + within()
                    + overdue(histogram, screen));
            List<BarChart.Bar> bars = ApiJson.stream(histogram.path("buckets"))
                    .map(bucket -> new BarChart.Bar(
                            ApiJson.instant(bucket, "from").orElse(Instant.EPOCH),
                            ApiJson.instant(bucket, "to").orElse(Instant.EPOCH),
                            bucket.path("count").asLong(0)))
                    .toList();
            if (!bars.isEmpty()) {
                new BarChart(bars, screen).draw();
            }
            return ExitCode.OK;
        }

        private String within() {
            return span == Span.ALL ? "" : " within the next " + span.name().toLowerCase(Locale.ROOT);
        }

        private static String overdue(JsonNode histogram, Screen screen) {
            JsonNode overdue = histogram.path("overdue");
            return overdue.path("count").asLong(0) == 0
                    ? ""
                    : ", " + screen.style().red(count(overdue) + " overdue");
        }

        private static String count(JsonNode number) {
            return (number.path("exact").asBoolean(true) ? "" : "about ") + ApiJson.text(number, "count");
        }
    }
}
