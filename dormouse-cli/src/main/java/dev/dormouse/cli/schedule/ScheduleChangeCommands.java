package dev.dormouse.cli.schedule;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.base.IdsCommand;
import dev.dormouse.cli.base.TimeArguments;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Commands that change schedules: {@code schedule pause}, {@code resume}, {@code trigger}, {@code delete}, {@code
 * backfill}.
 */
final class ScheduleChangeCommands {
    private ScheduleChangeCommands() {}

    /** Returns a policy as the API spells it: {@code skip-new} becomes {@code SKIP_NEW}. */
    static @Nullable String policy(@Nullable String typed) {
        return typed == null ? null : typed.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private static void print(Screen screen, String id, JsonNode answer, String done) {
        String started = ApiJson.text(answer, "startedId");
        screen.result(
                answer,
                id,
                () -> screen.line(done + " " + Text.clean(id)
                        + (started.isEmpty() ? "." : ": started " + Text.clean(started) + ".")));
    }

    /** A command that sends one request for each schedule. */
    private abstract static class ChangeCommand extends IdsCommand {
        private final String action;
        private final String done;

        ChangeCommand(String action, String done) {
            this.action = action;
            this.done = done;
        }

        @Override
        protected final ExitCode run(List<String> ids, ApiClient api, Screen screen) {
            return forEach(ids, screen, id -> print(screen, id, change(api, id), done));
        }

        JsonNode change(ApiClient api, String id) {
            return api.post(ApiPath.of("schedules", id, action), body());
        }

        ObjectNode body() {
            return ApiJson.object();
        }
    }

    @Command(name = "pause", description = "Pauses schedules: they start nothing until they are resumed.")
    static final class Pause extends ChangeCommand {
        @Option(names = "--note", paramLabel = "TEXT", description = "The reason, shown by 'schedule show'.")
        private String note = "by command line";

        Pause() {
            super("pause", "Paused");
        }

        @Override
        ObjectNode body() {
            return ApiJson.object().put("note", note);
        }
    }

    @Command(name = "resume", description = "Resumes paused schedules.")
    static final class Resume extends ChangeCommand {
        Resume() {
            super("resume", "Resumed");
        }
    }

    @Command(name = "trigger", description = "Starts the scheduled workflow now, outside its schedule.")
    static final class Trigger extends ChangeCommand {
        Trigger() {
            super("trigger", "Triggered");
        }
    }

    @Command(name = "delete", description = "Deletes schedules. Workflows that they have started continue.")
    static final class Delete extends ChangeCommand {
        Delete() {
            super("delete", "Deleted");
        }

        @Override
        JsonNode change(ApiClient api, String id) {
            return api.call("DELETE", ApiPath.of("schedules", id), null).accepted();
        }
    }

    @Command(name = "backfill", description = "Runs a schedule for a past period, as if it had existed then.")
    static final class Backfill extends ApiCommand {
        @Parameters(paramLabel = "ID", description = "The schedule id.")
        private String id = "";

        @Option(names = "--from", required = true, paramLabel = "INSTANT", description = "The start of the period.")
        private String from = "";

        @Option(names = "--to", required = true, paramLabel = "INSTANT", description = "The end of the period.")
        private String to = "";

        @Option(
                names = "--overlap",
                paramLabel = "POLICY",
                description = "The overlap policy. Default: the schedule's.")
        private @Nullable String overlap;

        @Override
        protected ExitCode run(ApiClient api, Screen screen) {
            ObjectNode body = ApiJson.object();
            ApiJson.put(
                    body,
                    "from",
                    TimeArguments.iso(from, "--from", environment().zone()));
            ApiJson.put(body, "to", TimeArguments.iso(to, "--to", environment().zone()));
            ApiJson.put(body, "overlap", policy(overlap));
            print(screen, id, api.post(ApiPath.of("schedules", id, "backfill"), body), "Backfilled");
            return ExitCode.OK;
        }
    }
}
