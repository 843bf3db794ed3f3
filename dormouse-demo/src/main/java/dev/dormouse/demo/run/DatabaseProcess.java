package dev.dormouse.demo.run;

import dev.dormouse.demo.base.DemoFailure;
import dev.dormouse.demo.worker.PipeProtocol;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The parent's handle to an {@link EmbeddedDatabase} process. */
public final class DatabaseProcess {
    private static final int SECONDS_TO_END = 20;

    private final Path folder;
    private final JavaProcess child;
    private final CompletableFuture<Optional<String>> url = new CompletableFuture<>();

    private DatabaseProcess(Path folder, JavaProcess child) {
        this.folder = folder;
        this.child = child;
    }

    public static DatabaseProcess start(Path folder) throws IOException {
        endLeftOver(folder);
        JavaProcess child = JavaProcess.start(EmbeddedDatabase.class, folder, "postgres", folder.toString());
        DatabaseProcess database = new DatabaseProcess(folder, child);
        database.child.listen(database::heard, database::ended);
        return database;
    }

    private void heard(String line) {
        PipeProtocol.read(line)
                .filter(message -> message.word() == PipeProtocol.Word.READY)
                .ifPresent(message -> url.complete(Optional.of(message.as(String.class))));
    }

    private void ended() {
        url.complete(Optional.empty());
    }

    /** Waits until the server is ready, and returns its URL. */
    public String url() throws InterruptedException {
        try {
            return url.get()
                    .orElseThrow(() ->
                            new DemoFailure("Expected PostgreSQL to start, but it did not. See " + child.log() + "."));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    public void end() {
        child.end(SECONDS_TO_END);
        endLeftOver(folder);
    }

    /** Kills the server of this folder if it was left over by a killed demo. */
    private static void endLeftOver(Path folder) {
        Path file = folder.resolve(EmbeddedDatabase.DATA).resolve("postmaster.pid");
        try {
            long pid = Long.parseLong(Files.readAllLines(file).get(0).strip());
            ProcessHandle.of(pid)
                    .filter(process -> process.info().command().orElse("").endsWith("postgres"))
                    .filter(ProcessHandle::destroyForcibly)
                    .ifPresent(process -> process.onExit().join());
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException none) {
            // it was stopped gracefully
        }
    }
}
