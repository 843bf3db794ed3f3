package dev.dormouse.cli.base;

import dev.dormouse.cli.process.Environment;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that prints something. */
@Command(mixinStandardHelpOptions = true, sortOptions = false, usageHelpAutoWidth = true)
public abstract class BaseCommand implements Callable<Integer> {
    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private final Output output = new Output();

    @Option(names = "--verbose", description = "Tell more when something goes wrong.")
    private boolean verbose;

    @Override
    public Integer call() throws Exception {
        return run(output.screen(commandLine(), environment())).number();
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

    /** Whether whoever typed the command wants to see what only an expert understands. */
    public final boolean isVerbose() {
        return verbose;
    }
}
