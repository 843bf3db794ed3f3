package dev.dormouse.cli.history;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.base.Modules;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import dev.dormouse.error.DormouseException;
import dev.dormouse.internal.embedded.ConfigurationAccess;
import dev.dormouse.internal.history.json.HistoryJson;
import dev.dormouse.internal.history.json.SavedHistory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "replay",
        description = {
            "Replays saved histories with the code on a class path, and checks that the code matches them, so that open runs "
                    + "survive its deployment. Executes no step; needs no server and no store."
        },
        footer = {"", "Example: dormouse history replay order-17.json --classpath 'target/app.jar:target/lib/*'"})
final class ReplayCommand extends BaseCommand {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Files that 'history export' wrote.")
    private List<Path> files = List.of();

    @Option(
            names = {"-c", "--classpath"},
            required = true,
            paramLabel = "PATH",
            description = "Jars and folders of classes with the workflows.")
    private String classPath = "";

    @Option(
            names = "--module",
            paramLabel = "CLASS",
            description = "A class that implements WorkflowModule, if the jar does not name it.")
    private List<String> modules = List.of();

    @Override
    protected ExitCode run(Screen screen) {
        Modules code = Modules.of(classPath, modules);
        boolean isGood = true;
        for (Path file : files) {
            isGood &= replay(file, code, screen);
        }
        return isGood ? ExitCode.OK : ExitCode.FAILED;
    }

    private static boolean replay(Path file, Modules code, Screen screen) {
        if (!Files.isReadable(file)) {
            throw CommandFailed.usage("Expected a file that can be read, but " + file + " is none. Check its name.");
        }
        try {
            SavedHistory history = HistoryJson.read(text(file), "history file " + file);
            ConfigurationAccess.replay(
                    register(Dormouse.builder(), code), history.workflowId(), history.runId(), history.events());
            screen.line(screen.style().green("ok") + "  " + Text.clean(file.toString()) + ": the code fits");
            return true;
        } catch (DormouseException mismatch) {
            screen.remark(screen.style().red("bad") + " " + Text.clean(file + ": " + mismatch.getMessage()));
            return false;
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static DormouseBuilder register(DormouseBuilder builder, Modules code) {
        code.all().forEach(module -> module.register(builder));
        return builder;
    }
}
