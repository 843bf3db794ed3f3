package dev.dormouse.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./dormouse} in a fresh clone, with fake Maven and Java programs. */
@Tag("process")
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class LauncherScriptTest {
    @TempDir
    private Path clone;

    @BeforeEach
    void prepare() throws IOException {
        Files.copy(Path.of("..", "dormouse"), clone.resolve("dormouse"));
        Files.createDirectories(clone.resolve(".mvn"));
        Files.createDirectories(clone.resolve("dormouse-cli/src/main"));
        Files.createFile(clone.resolve("pom.xml"));
        Files.createFile(clone.resolve("dormouse-cli/pom.xml"));
        Files.createDirectories(clone.resolve("jdk/bin"));
        Files.writeString(clone.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
        program("jdk/bin/java", "echo ran");
        program("jdk/bin/javac", "true");
        program(
                "bin/mvn",
                "mkdir building || exit 1",
                "sleep 1",
                "echo built >> builds",
                "touch dormouse-cli/target/dormouse-cli.jar",
                "rmdir building");
    }

    private void program(String name, String... lines) throws IOException {
        Path file = clone.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/usr/bin/env bash\n" + String.join("\n", lines) + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Process start(int number) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        "bash", clone.resolve("dormouse").toString(), "--version")
                .redirectErrorStream(true)
                .redirectOutput(clone.resolve("out-" + number).toFile());
        Map<String, String> environment = builder.environment();
        environment.put("JAVA_HOME", clone.resolve("jdk").toString());
        environment.put("PATH", clone.resolve("bin") + ":" + environment.get("PATH"));
        return builder.start();
    }

    private void runConcurrently(int commands) throws IOException, InterruptedException {
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < commands; i++) {
            all.add(start(i));
        }
        for (int i = 0; i < commands; i++) {
            assertThat(all.get(i).waitFor(40, TimeUnit.SECONDS)).isTrue();
            String out = Files.readString(clone.resolve("out-" + i));
            assertThat(all.get(i).exitValue()).as(out).isZero();
            assertThat(out).endsWith("ran\n");
        }
        assertThat(Files.readAllLines(clone.resolve("builds"))).hasSize(1);
        assertThat(clone.resolve("target/dormouse-build.lock")).doesNotExist();
    }

    @Test
    void concurrentCommandsBuildOnce() throws Exception {
        runConcurrently(4);
    }

    @Test
    void lockOfADeadProcessIsRemoved() throws Exception {
        Process ended = new ProcessBuilder("true").start();
        assertThat(ended.waitFor(10, TimeUnit.SECONDS)).isTrue();
        Path lock = Files.createDirectories(clone.resolve("target/dormouse-build.lock"));
        Files.writeString(lock.resolve("owner"), ended.pid() + "\n");
        runConcurrently(3);
    }

    @Test
    void failedBuildLeavesNoLock() throws Exception {
        program("bin/mvn", "echo 'no network' >&2", "exit 1");
        Process process = start(0);
        assertThat(process.waitFor(40, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(Files.readString(clone.resolve("out-0"))).contains("no network", "The build failed");
        assertThat(clone.resolve("target/dormouse-build.lock")).doesNotExist();
    }
}
