package dev.dormouse.server.chromium;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * The machine's own Chromium, headless, driven by the DevTools protocol: a browser cannot come through Maven, and a
 * driver for it would need Node.
 */
public final class Chromium implements AutoCloseable {

    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome", "chrome");
    static final String MISSING = "Expected Chromium for the tests of the dashboard, but none of " + NAMES
            + " is on the PATH. Install it (apt-get install -y chromium), or name it in the environment: CHROMIUM=…";

    private static final Duration START = Duration.ofSeconds(30);

    private final Process process;
    private final Path profile;
    private final DevTools tools;

    private Chromium(Process process, Path profile, DevTools tools) {
        this.process = process;
        this.profile = profile;
        this.tools = tools;
    }

    /** Starts Chromium. Names below {@code .example} resolve to this machine, as after a DNS rebinding. */
    static Chromium start() throws IOException {
        String binary = find().orElseThrow(() -> new AssertionError(MISSING));
        Path profile = Files.createTempDirectory("dormouse-chromium");
        Process process = new ProcessBuilder(command(binary, profile))
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("log").toFile())
                .start();
        try {
            return new Chromium(process, profile, DevTools.connect(address(process, profile)));
        } catch (RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static List<String> command(String binary, Path profile) {
        List<String> command = new ArrayList<>(List.of(
                binary,
                "--headless=new",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "--no-first-run",
                "--no-default-browser-check",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-dev-shm-usage",
                "--disable-extensions",
                "--disable-gpu",
                "--disable-sync",
                "--hide-scrollbars",
                "--host-resolver-rules=MAP *.example 127.0.0.1"));
        if (System.getProperty("user.name").equals("root")) {
            command.add("--no-sandbox"); // it refuses to run as root otherwise, as in a container
        }
        command.add("about:blank");
        return command;
    }

    /** Reads the DevTools address: the first line of the file is the port, the second the path of the socket. */
    private static URI address(Process process, Path profile) {
        Path file = profile.resolve("DevToolsActivePort");
        Awaitility.await("Chromium, see " + profile.resolve("log"))
                .atMost(START)
                .pollInterval(Duration.ofMillis(20))
                .failFast(() -> !process.isAlive())
                .until(() -> Files.exists(file) && Files.readAllLines(file).size() == 2);
        try {
            List<String> lines = Files.readAllLines(file);
            return URI.create("ws://127.0.0.1:" + lines.get(0) + lines.get(1));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Optional<String> find() {
        String set = System.getenv("CHROMIUM");
        Stream<Path> named = set == null ? Stream.empty() : Stream.of(Path.of(set));
        Stream<Path> onPath = Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)));
        return Stream.concat(named, onPath)
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    /** Opens a page with its own cookies and storage. */
    public Page page() {
        return Page.open(tools);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        tools.close();
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        // they write to the profile until they have gone
        children.forEach(ProcessHandle::destroyForcibly);
        children.forEach(child -> child.onExit().join());
        try (Stream<Path> files = Files.walk(profile)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }
}
