package dev.dormouse.cli.serve;

import dev.dormouse.Dormouse;
import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.plugin.WorkflowModule;
import dev.dormouse.server.DormouseServer;
import dev.dormouse.store.StoreUrl;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "dev",
        description = {
            "Runs your workflows on an SQLite file, with the API and the dashboard, for this machine only.",
            "",
            "Your jar lists its workflows: a class implements dev.dormouse.plugin.WorkflowModule, and the file "
                    + "META-INF/services/dev.dormouse.plugin.WorkflowModule contains its name. Without a jar, sample workflows run."
        },
        footer = {"", "Example: dormouse dev 'target/app.jar:target/lib/*'"})
public final class DevCommand extends BaseCommand {
    @Mixin
    private final ModuleOptions modules = new ModuleOptions();

    @Option(names = "--store", paramLabel = "STORE", description = "Default: sqlite:dormouse-dev.db.")
    private String store = "sqlite:dormouse-dev.db";

    @Option(names = "--port", paramLabel = "PORT", description = "The port; 0 for any free one. Default: 7070.")
    private int port = 7070;

    @Override
    protected ExitCode run(Screen screen) throws InterruptedException {
        List<WorkflowModule> code = modules.load();
        if (code.isEmpty()) {
            code = List.of(new SampleWorkflows());
            screen.line("No jar was named: sample workflows run. See 'dormouse dev --help' for how to run your own.");
        }
        screen.line("The store is " + StoreUrl.masked(store) + ".");
        ServerRunner.runUntilStopped(
                Dormouse.builder().store(store), code, DormouseServer.builder().port(port), screen);
        return ExitCode.OK;
    }
}
