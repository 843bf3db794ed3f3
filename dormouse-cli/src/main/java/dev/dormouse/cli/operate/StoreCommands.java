package dev.dormouse.cli.operate;

import dev.dormouse.Dormouse;
import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.base.StoreOption;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.StoreConfig;
import dev.dormouse.store.StoreProvider;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands for the maintenance of a store: {@code migrate} and {@code backup}. */
public final class StoreCommands {
    private StoreCommands() {}

    @Command(
            name = "migrate",
            description = "Creates Dormouse's tables in a store, or brings them up to date.",
            footer = {"", "Programs do this when they open a store, unless they set migrate(false)."})
    public static final class Migrate extends BaseCommand {
        @Mixin
        private final StoreOption store = new StoreOption();

        @Option(names = "--print", description = "Only print the SQL that creates the tables in an empty database.")
        private boolean print;

        @Override
        protected ExitCode run(Screen screen) {
            StoreProvider provider = provider(store.url(environment()));
            if (print) {
                screen.raw(provider.script(config(false)));
            } else if (isUpToDate(provider)) {
                screen.line("The tables are up to date.");
            } else {
                provider.open(config(true)).close();
                screen.line("The tables were brought up to date.");
            }
            return ExitCode.OK;
        }

        private boolean isUpToDate(StoreProvider provider) {
            try {
                provider.open(config(false)).close();
                return true;
            } catch (DormouseException problem) {
                if (problem.code() == ErrorCode.SCHEMA_MISSING) {
                    return false;
                }
                throw problem;
            }
        }

        private StoreConfig config(boolean migrate) {
            return new StoreConfig(
                    store.url(environment()), Optional.empty(), store.schema(), 1, migrate, InstantSource.system());
        }

        private static StoreProvider provider(String url) {
            List<StoreProvider> providers = ServiceLoader.load(StoreProvider.class).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
            return providers.stream()
                    .filter(provider -> provider.accepts(url))
                    .findFirst()
                    .orElseThrow(() -> CommandFailed.usage("Expected a store of the form "
                            + providers.stream().map(StoreProvider::urlForm).collect(Collectors.joining(" or "))
                            + ", but got something else."));
        }
    }

    @Command(
            name = "backup",
            description =
                    "Writes a consistent copy of an SQLite store to a new file, even while a process has it open.")
    public static final class Backup extends BaseCommand {
        @Mixin
        private final StoreOption store = new StoreOption();

        @Parameters(paramLabel = "FILE", description = "The new file, which must not exist yet.")
        private Path file = Path.of("");

        @Override
        protected ExitCode run(Screen screen) {
            String url = store.url(environment());
            if (url.startsWith("jdbc:postgresql:")) {
                throw CommandFailed.usage(
                        "Expected an SQLite store, but got PostgreSQL. Back it up like your other tables, "
                                + "for instance with: pg_dump --schema=" + store.schema());
            }
            try (Dormouse dormouse = Dormouse.builder().store(url).readOnly().open()) {
                dormouse.backup(file);
            }
            screen.line("Wrote " + file + ".");
            return ExitCode.OK;
        }
    }
}
