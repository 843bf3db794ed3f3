package dev.dormouse.cli.serve;

import dev.dormouse.postgres.sqltimers.SqlTimerNode;
import dev.dormouse.postgres.sqltimers.SqlTimerNodeBuilder;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command that runs a node that only fires SQL timers. */
@Command(
        name = "timers",
        mixinStandardHelpOptions = true,
        description = {
            "Fires the SQL timers of a PostgreSQL database until it is stopped. Installs the schema if it is missing.",
            "",
            "Set timers with psql: select timers.schedule_in('5 minutes', $$$$delete from session where id = 7$$$$);"
        },
        footer = {
            "",
            "Passwords: the node's own is in the URL or in a .pgpass file. For actions of other roles, --login ROLE=VARIABLE "
                    + "names an environment variable with the password.",
            "Exit codes: 0 stopped, 1 failed, 2 wrong usage."
        })
public final class SqlTimersCommand implements Callable<Integer> {
    @CommandLine.Spec
    private CommandLine.Model.@Nullable CommandSpec spec;

    @Option(
            names = "--store",
            paramLabel = "URL",
            description = "The database, jdbc:postgresql://HOST/DATABASE?user=ROLE")
    private @Nullable String store;

    @Option(
            names = "--enable-role",
            paramLabel = "ROLE",
            description = "Let this role set timers. Needed only once per role; can be repeated.")
    private List<String> enabled = List.of();

    @Option(
            names = "--login",
            paramLabel = "ROLE=VARIABLE",
            description = "Log in as this role to run its actions, with the password in an environment variable.")
    private Map<String, String> logins = Map.of();

    @Option(
            names = "--connections",
            paramLabel = "NUMBER",
            description =
                    "The maximum number of connections for all roles together, in addition to up to 4 of its own. Default: 32.")
    private @Nullable Integer connections;

    @Option(names = "--no-install", description = "Fail if the schema is missing or old, instead of installing it.")
    private boolean noInstall;

    @Option(names = "--print-sql", description = "Only print the SQL that installs the schema.")
    private boolean printSql;

    @Override
    public Integer call() throws Exception {
        PrintWriter out = commandLine().getOut();
        if (printSql) {
            out.print(SqlTimerNode.script());
            out.flush();
            return CommandLine.ExitCode.OK;
        }
        try (SqlTimerNode timers = builder().open()) {
            for (String role : enabled) {
                timers.enableRole(role);
            }
            out.println("Firing timers. Stop it with Ctrl-C or a TERM signal.");
            out.flush();
            awaitStop(timers);
        }
        return CommandLine.ExitCode.OK;
    }

    private SqlTimerNodeBuilder builder() {
        if (store == null || !store.startsWith("jdbc:postgresql:")) {
            throw new CommandLine.ParameterException(
                    commandLine(),
                    "Expected --store jdbc:postgresql://HOST/DATABASE?user=ROLE, but got "
                            + (store == null ? "none" : "something else") + ".");
        }
        SqlTimerNodeBuilder builder = SqlTimerNode.builder().url(store).install(!noInstall);
        if (connections != null) {
            builder.connections(connections);
        }
        logins.forEach((role, variable) -> builder.password(role, password(variable)));
        return builder;
    }

    private String password(String variable) {
        String password = System.getenv(variable);
        if (password == null) {
            throw new CommandLine.ParameterException(
                    commandLine(),
                    "Expected a password in the environment variable " + variable + ", but it is not set.");
        }
        return password;
    }

    private CommandLine commandLine() {
        if (spec == null) {
            throw new IllegalStateException("not run by picocli");
        }
        return spec.commandLine();
    }

    /** Waits until the process is stopped and its timers are closed. */
    private static void awaitStop(SqlTimerNode timers) throws InterruptedException {
        CountDownLatch stopped = new CountDownLatch(1);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            timers.close();
            stopped.countDown();
        }));
        stopped.await();
    }
}
