package dev.dormouse.cli.operate;

import dev.dormouse.Dormouse;
import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.base.StoreOption;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "backup",
        description = "Writes a consistent copy of an SQLite store to a new file, even while a process has it open.")
public final class BackupCommand extends BaseCommand {
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
