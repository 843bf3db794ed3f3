package dev.dormouse.cli.base;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.Environment;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import picocli.CommandLine.Parameters;

/** A command that takes one or more ids, from the command line or from standard input. */
public abstract class IdsCommand extends ApiCommand {
    @Parameters(
            arity = "1..*",
            paramLabel = "ID",
            description = "One or more ${PARENT-COMMAND-NAME} ids; - reads ids from standard input, one per line.")
    private List<String> ids = List.of();

    @Override
    protected final ExitCode run(ApiClient api, Screen screen) {
        return run(read(ids, environment()), api, screen);
    }

    protected abstract ExitCode run(List<String> distinctIds, ApiClient api, Screen screen);

    /**
     * Returns the distinct ids in {@code typed}, where {@code -} stands for the lines of standard input.
     *
     * @throws CommandFailed with {@link ExitCode#USAGE} if there are none
     */
    public static List<String> read(List<String> typed, Environment environment) {
        Set<String> distinct = new LinkedHashSet<>();
        for (String id : typed) {
            if (id.equals("-")) {
                new BufferedReader(new InputStreamReader(environment.in(), StandardCharsets.UTF_8))
                        .lines()
                        .filter(line -> !line.isBlank())
                        .forEach(distinct::add);
            } else {
                distinct.add(id);
            }
        }
        if (distinct.isEmpty()) {
            throw CommandFailed.usage("Expected ids on standard input, one per line, but there are none.");
        }
        return List.copyOf(distinct);
    }

    /**
     * Applies {@code action} to each id. A failure is printed and does not stop the others, unless the server or store is not
     * reachable. Returns the exit code of the first failure, or {@link ExitCode#OK}.
     */
    protected static ExitCode forEach(List<String> ids, Screen screen, Consumer<String> action) {
        ExitCode first = ExitCode.OK;
        for (int i = 0; i < ids.size(); i++) {
            if (ids.size() > 1) {
                screen.progress((i + 1) + " of " + ids.size());
            }
            try {
                action.accept(ids.get(i));
            } catch (CommandFailed e) {
                if (e.exitCode() == ExitCode.NOT_REACHABLE) {
                    throw e;
                }
                screen.remark("dormouse: " + e.getMessage());
                first = first == ExitCode.OK ? e.exitCode() : first;
            }
        }
        if (ids.size() > 1) {
            screen.progress("");
        }
        return first;
    }
}
