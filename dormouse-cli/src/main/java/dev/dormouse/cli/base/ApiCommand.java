package dev.dormouse.cli.base;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.TargetOptions;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import picocli.CommandLine.Mixin;

/** A command that calls the API. */
public abstract class ApiCommand extends BaseCommand {
    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Override
    protected final ExitCode run(Screen screen) throws Exception {
        try (ApiClient api = target.open(environment())) {
            return run(api, screen);
        }
    }

    protected abstract ExitCode run(ApiClient api, Screen screen) throws Exception;
}
