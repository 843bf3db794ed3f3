package dev.dormouse.cli.workflow;

import dev.dormouse.cli.api.Answer;
import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(
        name = "start",
        description = "Starts a workflow and returns at once.",
        footer = {"", "Example: dormouse workflow start order '{\"item\": \"lamp\"}' --id order-17"})
final class StartCommand extends ApiCommand {
    @Mixin
    private final StartOptions options = new StartOptions();

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        Answer answer = api.call("POST", ApiPath.of("workflows"), options.body(environment()));
        JsonNode run = answer.accepted();
        RunPrinter.changed(screen, run, answer.status() == 201 ? "Started" : "There was already");
        if (api.isAlone()) {
            screen.remark("It begins when a process with its code opens this store.");
        }
        return ExitCode.OK;
    }
}
