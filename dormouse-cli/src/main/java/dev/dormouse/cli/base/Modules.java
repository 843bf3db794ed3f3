package dev.dormouse.cli.base;

import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.plugin.WorkflowModule;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * The workflow modules on a class path. Their class loader is never closed, because workflow code can load classes at any
 * time.
 */
public record Modules(List<WorkflowModule> all, ClassLoader loader) {

    /**
     * Loads the modules.
     *
     * @param classPath jars, folders and {@code folder/*}, separated by colons
     * @param names the class names of the modules; if empty, those that the jars name
     */
    public static Modules of(String classPath, List<String> names) {
        ClassLoader loader = new URLClassLoader(urls(classPath), Modules.class.getClassLoader());
        List<WorkflowModule> found = new ArrayList<>(names.isEmpty() ? named(loader) : List.of());
        names.forEach(name -> found.add(create(loader, name)));
        if (found.isEmpty()) {
            throw CommandFailed.usage("Expected a workflow module on the class path " + classPath
                    + ", but found none. Let a class implement dev.dormouse.plugin.WorkflowModule, and name it in the file "
                    + "META-INF/services/dev.dormouse.plugin.WorkflowModule, or with --module.");
        }
        return new Modules(List.copyOf(found), loader);
    }

    private static URL[] urls(String classPath) {
        return Stream.of(classPath.split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .flatMap(Modules::files)
                .map(Modules::url)
                .toArray(URL[]::new);
    }

    private static Stream<Path> files(String entry) {
        boolean isAll = entry.endsWith("*");
        Path path = Path.of(isAll ? entry.substring(0, entry.length() - 1) : entry);
        if (!Files.exists(path)) {
            throw CommandFailed.usage(
                    "Expected " + path + " to be a jar or a folder of classes, but it does not exist. "
                            + "Build it first, or correct the class path.");
        }
        File[] jars = isAll ? path.toFile().listFiles((folder, name) -> name.endsWith(".jar")) : null;
        return jars == null ? Stream.of(path) : Stream.of(jars).sorted().map(File::toPath);
    }

    private static URL url(Path path) {
        try {
            return path.toUri().toURL();
        } catch (MalformedURLException e) {
            throw CommandFailed.usage("Expected a file, but got " + path + ".");
        }
    }

    private static List<WorkflowModule> named(ClassLoader loader) {
        try {
            return ServiceLoader.load(WorkflowModule.class, loader).stream()
                    .map(ServiceLoader.Provider::get)
                    .toList();
        } catch (ServiceConfigurationError e) {
            throw CommandFailed.usage(
                    "Expected workflow modules that can be created, but: " + e.getMessage() + cause(e));
        }
    }

    private static WorkflowModule create(ClassLoader loader, String name) {
        try {
            return (WorkflowModule) loader.loadClass(name).getConstructor().newInstance();
        } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
            throw CommandFailed.usage(
                    "Expected " + name + " to be a public class that implements WorkflowModule and has a "
                            + "public constructor without parameters, but: " + e + cause(e) + ". Check its name.");
        }
    }

    private static String cause(Throwable problem) {
        return problem.getCause() == null ? "" : " (" + problem.getCause() + ")";
    }
}
