package dev.dormouse.cli.serve;

import dev.dormouse.cli.base.Modules;
import dev.dormouse.plugin.WorkflowModule;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The class path and the modules with the workflows that a node executes. */
final class ModuleOptions {
    @Parameters(
            arity = "0..1",
            paramLabel = "CLASSPATH",
            description = "The workflows to execute: jars, folders of classes and folder/*, separated by colons.")
    private @Nullable String classPath;

    @Option(
            names = "--module",
            paramLabel = "CLASS",
            description = "A class that implements WorkflowModule, if the jar does not name it.")
    private List<String> modules = List.of();

    /** Loads the modules and makes their class loader that of this thread. Returns an empty list if none were named. */
    List<WorkflowModule> load() {
        if (classPath == null && modules.isEmpty()) {
            return List.of();
        }
        Modules found = Modules.of(classPath == null ? "" : classPath, modules);
        Thread.currentThread().setContextClassLoader(found.loader());
        return found.all();
    }
}
