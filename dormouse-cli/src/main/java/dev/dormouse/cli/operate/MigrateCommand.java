package dev.dormouse.cli.operate;

import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.StoreProvider;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "migrate",
        description = "Creates Dormouse's tables in a store, or brings them up to date.",
        footer = {
            "",
            "Programs do this by themselves when they open a store, unless they were told not to: migrate(false)."
        })
public final class MigrateCommand extends BaseCommand {
    @Mixin
    private final StoreOption store = new StoreOption();

    @Option(names = "--print", description = "Print all SQL from an empty database on, and do nothing else.")
    private boolean print;

    @Override
    protected ExitCode run(Screen screen) {
        StoreProvider provider = store.provider(environment());
        if (print) {
            screen.raw(provider.script(store.config(environment(), false)));
        } else if (isUpToDate(provider)) {
            screen.line("The tables are up to date.");
        } else {
            provider.open(store.config(environment(), true)).close();
            screen.line("The tables were brought up to date.");
        }
        return ExitCode.OK;
    }

    private boolean isUpToDate(StoreProvider provider) {
        try {
            provider.open(store.config(environment(), false)).close();
            return true;
        } catch (DormouseException problem) {
            if (problem.code() == ErrorCode.SCHEMA_MISSING) {
                return false;
            }
            throw problem;
        }
    }
}
