package dev.dormouse.cli.dag;

import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.base.JsonInput;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import dev.dormouse.dag.Dag;
import dev.dormouse.error.DormouseException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "validate", description = "Checks DAG definitions and prints all errors. Needs no server and no store.")
final class DagValidateCommand extends BaseCommand {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Files with definitions; - for standard input.")
    private List<String> files = List.of();

    @Override
    protected ExitCode run(Screen screen) {
        boolean isGood = true;
        for (String file : files) {
            isGood &= validate(file, screen);
        }
        return isGood ? ExitCode.OK : ExitCode.FAILED;
    }

    private boolean validate(String file, Screen screen) {
        String json = JsonInput.read(file, environment());
        try {
            Dag dag = Dag.fromJson(json);
            screen.line(screen.style().green("ok") + "  " + Text.clean(file + ": " + dag));
            return true;
        } catch (DormouseException mistake) {
            screen.remark(screen.style().red("bad") + " " + Text.clean(file + ": ") + mistakes(mistake.getMessage()));
            return false;
        }
    }

    /** Returns the errors, one per line. */
    private static String mistakes(String message) {
        return String.join("\n", message.lines().map(Text::clean).toList());
    }
}
