package dev.dormouse.cli;

import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.dag.DagCommand;
import dev.dormouse.cli.history.HistoryCommand;
import dev.dormouse.cli.lint.LintCommand;
import dev.dormouse.cli.operate.DoctorCommand;
import dev.dormouse.cli.operate.EventCommand;
import dev.dormouse.cli.operate.ExplainCommand;
import dev.dormouse.cli.operate.NodeCommand;
import dev.dormouse.cli.operate.StoreCommands;
import dev.dormouse.cli.process.Environment;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.schedule.ScheduleCommand;
import dev.dormouse.cli.serve.DevCommand;
import dev.dormouse.cli.serve.ServerCommand;
import dev.dormouse.cli.serve.SqlTimersCommand;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.timer.TimerCommand;
import dev.dormouse.cli.workflow.WorkflowCommand;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The main class of {@code ./dormouse}. */
@Command(
        name = "dormouse",
        description = "Durable workflows, timers and schedules for Java, stored in your database.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        footer = {
            "",
            "Commands use the server of --url or DORMOUSE_URL, or the store of --store or DORMOUSE_STORE. The default is the "
                    + "server at http://127.0.0.1:7070, where 'dormouse dev' listens.",
            "In a clone of the project there are also ./dormouse demo and ./dormouse bench."
        })
public final class Main implements Runnable, Environment.Holder {
    private static final List<Class<?>> COMMANDS = List.of(
            DevCommand.class,
            ServerCommand.class,
            WorkflowCommand.class,
            TimerCommand.class,
            ScheduleCommand.class,
            DagCommand.class,
            HistoryCommand.class,
            LintCommand.class,
            EventCommand.class,
            NodeCommand.class,
            StoreCommands.Migrate.class,
            StoreCommands.Backup.class,
            DoctorCommand.class,
            ExplainCommand.class,
            Completion.class,
            SqlTimersCommand.class,
            WarmUpCommand.class);

    /**
     * The commands that run until they are stopped. They log at INFO, and every change by a caller, whatever the level is. All
     * others log at WARN; see logback.xml.
     */
    private static final Set<String> SERVICES = Set.of("dev", "server", "timers");

    private final Environment environment;

    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    private Main(Environment environment) {
        this.environment = environment;
    }

    public static void main(String[] arguments) {
        if (arguments.length > 0 && SERVICES.contains(arguments[0])) {
            setUnlessGiven("dormouse.log", "INFO");
            setUnlessGiven("dormouse.audit", "INFO");
        }
        CommandLine line = commandLine(Environment.ofProcess(), arguments);
        line.setOut(writer(FileDescriptor.out)).setErr(writer(FileDescriptor.err));
        int code = line.execute(arguments);
        line.getOut().flush();
        line.getErr().flush();
        System.exit(code);
    }

    private static void setUnlessGiven(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), false);
    }

    /** Creates the command line for these arguments; see {@link CommandTree}. */
    static CommandLine commandLine(Environment environment, String... arguments) {
        CommandLine line = new CommandLine(new Main(environment));
        CommandTree.add(line, COMMANDS, List.of(arguments));
        ErrorReporter errors = new ErrorReporter(environment);
        line.setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler(errors)
                .setExecutionExceptionHandler(errors);
        Map<String, String> codes = new LinkedHashMap<>();
        for (ExitCode code : ExitCode.values()) {
            codes.put(" " + code.number(), code.meaning());
        }
        line.getCommandSpec().usageMessage().exitCodeList(codes);
        return line;
    }

    @Override
    public Environment environment() {
        return environment;
    }

    @Override
    public void run() {
        if (spec != null) {
            throw new CommandLine.ParameterException(spec.commandLine(), "Expected a command, but got none.");
        }
    }

    /** Reads the version from the jar. */
    static final class Version implements CommandLine.IVersionProvider {
        @Override
        public String[] getVersion() {
            String version = Main.class.getPackage().getImplementationVersion();
            return new String[] {"dormouse " + (version == null ? "(not packaged)" : version)};
        }
    }

    @Command(
            name = "completion",
            description = "Prints a completion script for bash and zsh.",
            footer = {"", "Example: source <(./dormouse completion)"})
    static final class Completion extends BaseCommand {

        @Override
        protected ExitCode run(Screen screen) {
            screen.raw(AutoComplete.bash(
                    "dormouse", commandLine().getCommandSpec().root().commandLine()));
            return ExitCode.OK;
        }
    }
}
