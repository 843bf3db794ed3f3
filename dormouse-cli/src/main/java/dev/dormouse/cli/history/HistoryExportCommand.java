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
                "Writes the history of a run to a file for 'history replay' and tests. It contains inputs and results: "
                        + "check that they may leave production.")
final class HistoryExportCommand extends ApiCommand {
    @Parameters(index = "0", paramLabel = "ID", description = "The workflow id.")
    private String id = "";

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "FILE",
            description = "The file to write. Default: standard output.")
    private @Nullable Path file;

    @Option(names = "--run", paramLabel = "UUID", description = "An earlier run of the workflow. Default: the latest.")
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
