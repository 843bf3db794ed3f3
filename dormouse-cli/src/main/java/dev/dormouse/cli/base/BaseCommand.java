package dev.dormouse.cli.base;

import dev.dormouse.cli.process.Environment;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.TimeFormat;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that prints a result. */
@Command(mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true)
public abstract class BaseCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "table, json, or ids (one id per line, to pipe into another command). Default: table.")
    private Screen.Format format = Screen.Format.TABLE;

    @Option(
            names = "--times",
            paramLabel = "FORM",
            description = "How tables show instants: relative, absolute or both. Default: relative.")
    private TimeFormat.Form times = TimeFormat.Form.RELATIVE;

    @Option(names = "--verbose", description = "Print a stack trace when the command fails.")
    private boolean verbose;

    @Override
    public Integer call() throws Exception {
        CommandLine line = commandLine();
        return run(new Screen(line.getOut(), line.getErr(), environment(), format, times))
                .number();
    }

    protected abstract ExitCode run(Screen screen) throws Exception;

    protected final CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("not run by picocli");
        }
        return spec.commandLine();
    }

    protected final Environment environment() {
        return ((Environment.Holder) commandLine().getCommandSpec().root().userObject()).environment();
    }

    /** Returns true if failures are printed with a stack trace. */
    public final boolean isVerbose() {
        return verbose;
    }
}
