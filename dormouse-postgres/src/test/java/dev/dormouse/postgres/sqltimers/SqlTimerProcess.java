package dev.dormouse.postgres.sqltimers;

import java.io.IOException;
import java.nio.file.Path;

/** A node in a process of its own, which can be killed. It ends by itself when its input ends. */
final class SqlTimerProcess {
    private SqlTimerProcess() {}

    static Process start(String url, Path log) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SqlTimerProcess.class.getName(),
                        url)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    public static void main(String[] args) throws IOException {
        try (SqlTimerNode node = SqlTimerNode.builder().url(args[0]).open()) {
            System.in.transferTo(System.out);
        }
    }
}
