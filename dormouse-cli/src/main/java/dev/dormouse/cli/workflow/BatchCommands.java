package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.IdsCommand;
import dev.dormouse.cli.base.RunOptions;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Commands that change many runs: {@code workflow cancel}, {@code terminate} and {@code retry}. */
final class BatchCommands {
    private BatchCommands() {}

    /** A command that ends runs. */
    private abstract static class EndCommand extends IdsCommand {
        private final String action;
        private final String done;

        @Option(names = "--reason", paramLabel = "TEXT", description = "The reason, stored in the history.")
        private String reason = "by command line";

        EndCommand(String action, String done) {
            this.action = action;
            this.done = done;
        }

        @Override
        protected ExitCode run(List<String> ids, ApiClient api, Screen screen) {
            return new Batch(action, done, ApiJson.object().put("reason", reason)).run(api, ids, screen);
        }
    }

    @Command(name = "cancel", description = "Requests cancellation of runs. Their code can clean up before it ends.")
    static final class Cancel extends EndCommand {
        Cancel() {
            super("cancel", "Requested cancellation of");
        }
    }

    @Command(name = "terminate", description = "Ends runs immediately, without running their code. Prefer 'cancel'.")
    static final class Terminate extends EndCommand {
        Terminate() {
            super("terminate", "Terminated");
        }
    }

    @Command(
            name = "retry",
            description = "Resumes failed or stuck runs where they stopped. Completed steps are not repeated.",
            footer = {"", "Example: dormouse workflow list --status failed -o ids | dormouse workflow retry -"})
    static final class Retry extends IdsCommand {
        @Override
        protected ExitCode run(List<String> ids, ApiClient api, Screen screen) {
            return new Batch("retry", "Retried", ApiJson.object()).run(api, ids, screen);
        }
    }

    /**
     * A change to one or more runs. One run is changed by its own request, several by requests that carry up to 1,000 ids
     * each. Changes with a key are always sent one by one.
     *
     * @param action the name of the change in the API
     * @param done the text to print before the id of a changed run
     * @param body the rest of the request
     */
    record Batch(String action, String done, ObjectNode body) {
        private static final int MAX_IDS = 1_000;

        ExitCode run(ApiClient api, List<String> ids, Screen screen) {
            if (ids.size() == 1 || body.has("key")) {
                ids.forEach(id -> screen.result(
                        api.post(RunOptions.pathOf(id, action), body), id, () -> screen.line(sentence(id))));
                return ExitCode.OK;
            }
            int failed = 0;
            ArrayNode results = ApiJson.array();
            for (int from = 0; from < ids.size(); from += MAX_IDS) {
                screen.progress(from + " of " + ids.size());
                failed += send(api, ids.subList(from, Math.min(from + MAX_IDS, ids.size())), screen, results);
            }
            screen.progress("");
            if (screen.format() == Screen.Format.JSON) {
                screen.json(results);
            } else if (failed > 0) {
                screen.remark(failed + " of " + ids.size() + " failed.");
            }
            return failed == 0 ? ExitCode.OK : ExitCode.FAILED;
        }

        private String sentence(String id) {
            return done + " " + Text.clean(id) + ".";
        }

        /** Sends one request and adds its results to {@code results}. Returns the number of failures. */
        private int send(ApiClient api, List<String> ids, Screen screen, ArrayNode results) {
            ObjectNode batch = body.deepCopy().put("action", action);
            ids.forEach(batch.putArray("ids")::add);
            int failed = 0;
            for (JsonNode result :
                    api.post(ApiPath.of("workflows", "batch"), batch).path("results")) {
                results.add(result);
                boolean isDone = result.path("ok").asBoolean(false);
                failed += isDone ? 0 : 1;
                if (screen.format() != Screen.Format.JSON) {
                    print(result, isDone, screen);
                }
            }
            return failed;
        }

        private void print(JsonNode result, boolean isDone, Screen screen) {
            String id = ApiJson.text(result, "id");
            if (isDone) {
                screen.line(screen.format() == Screen.Format.IDS ? id : sentence(id));
            } else {
                JsonNode error = result.path("error");
                String message = error.isValueNode() ? error.asString("") : ApiJson.text(error, "message");
                screen.remark("dormouse: " + Text.clean(id + ": " + message));
            }
        }
    }
}
