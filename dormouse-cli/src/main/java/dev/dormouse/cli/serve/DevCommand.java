package dev.dormouse.cli.serve;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowModule;
import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.base.Modules;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.store.StoreUrl;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "dev",
        description = {
            "Runs your workflows on an SQLite file, with the API and the dashboard, on this machine only.",
            "",
            "Your jar says which workflows it has: a class implements dev.dormouse.WorkflowModule, and "
                    + "META-INF/services/dev.dormouse.WorkflowModule holds its name. Without a jar, some sample workflows run."
        },
        footer = {"", "Example: dormouse dev 'target/app.jar:target/lib/*'"})
public final class DevCommand extends BaseCommand {
    @Parameters(
            arity = "0..1",
            paramLabel = "CLASSPATH",
            description = "A jar; or jars, folders of classes and folder/*, with colons between them.")
    private @Nullable String classPath;

    @Option(
            names = "--module",
            paramLabel = "CLASS",
            description = "A WorkflowModule that the jar does not name itself.")
    private List<String> modules = List.of();

    @Option(names = "--store", paramLabel = "STORE", description = "sqlite:dormouse-dev.db if not given.")
    private String store = "sqlite:dormouse-dev.db";

    @Option(names = "--port", paramLabel = "PORT", description = "7070 if not given; 0 for any that is free.")
    private int port = 7070;

    @Override
    protected ExitCode run(Screen screen) throws InterruptedException {
        List<WorkflowModule> code;
        if (classPath == null && modules.isEmpty()) {
            code = List.of(new Samples());
            screen.line("No jar was named: sample workflows run. 'dormouse dev --help' tells how to run your own.");
        } else {
            Modules found = Modules.of(classPath == null ? "" : classPath, modules);
            Thread.currentThread().setContextClassLoader(found.loader());
            code = found.all();
        }
        screen.line("The store is " + StoreUrl.masked(store) + ".");
        Serving.untilStopped(
                Dormouse.builder().store(store), code, DormouseServer.builder().port(port), screen);
        return ExitCode.OK;
    }
}
