package dev.dormouse.sqlite.connect;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;

/**
 * Another process that becomes the owner of a file repeatedly, and fails if there is a second owner: only the owner may
 * create the file {@code inside}.
 */
final class Turns {
    private final Process process;
    private String output = "";

    private Turns(Process process) {
        this.process = process;
    }

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        Path inside = Path.of(arguments[1]);
        Instant end = Instant.now().plus(Duration.parse(arguments[2]));
        int turns = 0;
        while (Instant.now().isBefore(end)) {
            try (FileOwner owner = FileOwner.of(file)) {
                Files.createFile(inside);
                Files.delete(inside);
                turns++;
            } catch (DormouseException e) {
                if (e.code() != ErrorCode.STORE_IN_USE) {
                    throw e;
                }
                LockSupport.parkNanos(100_000);
            }
        }
        System.out.println("turns: " + turns);
    }

    static Turns start(Path file, Path inside, Duration time) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return new Turns(new ProcessBuilder(
                        java,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Turns.class.getName(),
                        file.toString(),
                        inside.toString(),
                        time.toString())
                .redirectErrorStream(true)
                .start());
    }

    int awaitEnd() throws IOException, InterruptedException {
        output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor();
    }

    int turns() {
        return Integer.parseInt(output.substring(output.lastIndexOf(' ') + 1).strip());
    }

    String output() {
        return output;
    }
}
