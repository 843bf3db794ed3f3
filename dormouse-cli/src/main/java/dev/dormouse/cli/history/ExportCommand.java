package dev.dormouse.cli.history;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiPath;
import dev.dormouse.cli.base.ApiCommand;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "export",
        description =
                "Writes the history of a run to a file that 'history replay' and tests can read. It holds inputs and "
                        + "results: mind what may leave production.")
final class ExportCommand extends ApiCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "The workflow id.")
    private String id = "";

    @Parameters(index = "1", arity = "0..1", paramLabel = "FILE", description = "Standard output if not given.")
    private @Nullable Path file;

    @Option(names = "--run", paramLabel = "UUID", description = "An earlier run of it; the latest if not given.")
    private @Nullable String run;

    @Override
    protected ExitCode run(ApiClient api, Screen screen) {
        String history = api.call("GET", ApiPath.of("workflows", id, "export").with("run", run), null)
                .text();
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
