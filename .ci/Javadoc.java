import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes the Javadoc of all exported packages of all modules into one folder, which becomes {@code javadoc} on the site. Needs Java 21 or later, and the libraries in
 * dormouse-cli/target/lib: {@code mvn package -DskipTests -pl dormouse-cli -am}.
 *
 * <p>Usage: {@code java .ci/Javadoc.java ROOT FOLDER}
 */
public final class Javadoc {
    private static final Pattern EXPORT = Pattern.compile("exports ([\\w.]+);");

    private Javadoc() {}

    public static void main(String[] arguments) throws IOException {
        Path root = Path.of(arguments[0]);
        if (Runtime.version().feature() < 21) {
            System.err.println("Expected Java 21 or later, but this is Java " + Runtime.version().feature()
                    + ", whose javadoc tool crashes on annotations of nested types. Use a later one.");
            System.exit(1);
        }
        Path libraries = root.resolve("dormouse-cli/target/lib");
        if (!Files.isDirectory(libraries)) {
            System.err.println("Expected libraries in " + libraries + ", but the folder does not exist. Run first: "
                    + "mvn package -DskipTests -pl dormouse-cli -am");
            System.exit(1);
        }
        List<String> command = new ArrayList<>(List.of(
                "-d", arguments[1], "-quiet", "-notimestamp", "-Xdoclint:none", "-encoding", "UTF-8",
                "-windowtitle", "Dormouse", "-doctitle", "Dormouse",
                "-header", "<a style=\"color:#fff\" href=\"{@docRoot}/../index.html\">Documentation</a>",
                // optional libraries, such as OpenTelemetry, are not among those of the command line
                "--ignore-source-errors", "-classpath", jars(libraries)));
        command.addAll(List.of("-group", "Workflows, timers and schedules", "dev.dormouse:dev.dormouse.timer:dev.dormouse.schedule"));
        command.addAll(List.of("-group", "Errors and descriptions", "dev.dormouse.error:dev.dormouse.inspect"));
        command.addAll(List.of("-group", "Service provider interface of stores", "dev.dormouse.store*"));
        command.addAll(files(root));
        System.exit(ToolProvider.findFirst("javadoc").orElseThrow().run(System.out, System.err, command.toArray(String[]::new)));
    }

    private static String jars(Path folder) throws IOException {
        try (Stream<Path> jars = Files.list(folder)) {
            return jars.map(Path::toString).sorted().collect(Collectors.joining(java.io.File.pathSeparator));
        }
    }

    private static List<String> files(Path root) throws IOException {
        List<Path> sources;
        try (Stream<Path> modules = Files.list(root)) {
            sources = modules.map(module -> module.resolve("src/main/java")).filter(Files::isDirectory).toList();
        }
        Set<String> packages = new TreeSet<>(Set.of("dev.dormouse.server"));
        for (Path source : sources) {
            Path module = source.resolve("module-info.java");
            Matcher exports = EXPORT.matcher(Files.exists(module) ? Files.readString(module) : "");
            while (exports.find()) {
                packages.add(exports.group(1));
            }
        }
        List<String> files = new ArrayList<>();
        for (Path source : sources) {
            for (String name : packages) {
                Path folder = source.resolve(name.replace('.', '/'));
                if (Files.isDirectory(folder)) {
                    try (Stream<Path> found = Files.list(folder)) {
                        files.addAll(found.map(Path::toString).filter(file -> file.endsWith(".java")).sorted().collect(Collectors.toList()));
                    }
                }
            }
        }
        return files;
    }
}
