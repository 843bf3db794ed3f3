package dev.dormouse.cli.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.dormouse.cli.CliResult;
import dev.dormouse.cli.LongRunningWorkflows;
import dev.dormouse.cli.ServerProcess;
import dev.dormouse.cli.Signs;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The signs of a full disk. The process has a small file system of its own, in a namespace that ends with it; where the
 * system does not allow that, the test is left out.
 */
@Tag("process")
@Timeout(180)
class FullDiskSignsTest {
    private static final String MOUNT = "mount -t tmpfs -o size=8m none \"$0\" && exec \"$@\"";

    @TempDir
    private Path folder;

    @Test
    void fullDiskIsVisibleUntilThereIsSpaceAgain() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        assumeTrue(canMount(disk), "unshare cannot mount a file system here");
        Path log = folder.resolve("log.txt");
        try (ServerProcess serving = ServerProcess.start(
                log,
                List.of("unshare", "-rm", "sh", "-c", MOUNT, disk.toString()),
                "dev",
                "--port",
                "0",
                "--store",
                "sqlite:" + disk.resolve("a.db"),
                "--module",
                LongRunningWorkflows.class.getName())) {
            Signs signs = new Signs(log, serving.url());
            CliResult started =
                    CliResult.run("workflow", "start", "patrolling", "\"x\"", "--id", "p", "--url", serving.url());
            assertThat(started.code()).as(started.err()).isZero();
            signs.ready();
            Path filler = Path.of("/proc", String.valueOf(serving.process().pid()), "root")
                    .resolve(Path.of("/").relativize(disk.toAbsolutePath()))
                    .resolve("filler");
            fill(filler);
            signs.logs("WARN", "The store has no space left. Nothing is lost")
                    .metric("dormouse_store_outage{cause=\"full\"} 1.0")
                    .api("/info", "\"cause\":\"full\"", "The store has no space left")
                    .notReady("has no space left")
                    .doctor("✗ store", "The store has no space left");
            Files.delete(filler);
            signs.logs("INFO", "The store has space again, after ")
                    .metric("dormouse_store_outages_seconds_count{cause=\"full\"} 1")
                    .ready();
            assertThat(signs.lines().size()).isLessThanOrEqualTo(10);
        }
    }

    private static boolean canMount(Path disk) throws InterruptedException {
        try {
            Process trial = new ProcessBuilder("unshare", "-rm", "sh", "-c", MOUNT, disk.toString(), "true").start();
            return trial.waitFor(30, TimeUnit.SECONDS) && trial.exitValue() == 0;
        } catch (IOException noSuchCommand) {
            return false;
        }
    }

    private static void fill(Path filler) throws IOException {
        try (OutputStream out = Files.newOutputStream(filler)) {
            byte[] some = new byte[4096];
            while (true) {
                out.write(some);
            }
        } catch (IOException full) {
            assertThat(Files.size(filler)).isPositive();
        }
    }
}
