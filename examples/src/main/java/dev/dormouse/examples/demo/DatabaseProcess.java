package dev.dormouse.examples.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The {@link Database} as its parent sees it. */
final class DatabaseProcess {
    private static final int SECONDS_TO_END = 20;

    private final Path folder;
    private final Child child;
    private final CompletableFuture<Optional<String>> url = new CompletableFuture<>();

    private DatabaseProcess(Path folder, Child child) {
        this.folder = folder;
        this.child = child;
    }

    static DatabaseProcess start(Path folder) throws IOException {
        endLeftOver(folder);
        Child child = Child.start(Database.class, folder, "postgres", folder.toString());
        DatabaseProcess database = new DatabaseProcess(folder, child);
        database.child.listen(database::heard, database::ended);
        return database;
    }

    private void heard(String line) {
        Wire.read(line)
                .filter(message -> message.word() == Wire.Word.READY)
                .ifPresent(message -> url.complete(Optional.of(message.as(String.class))));
    }

    private void ended() {
        url.complete(Optional.empty());
    }

    /** Where it can be reached, as soon as it can. */
    String url() throws InterruptedException {
        try {
            return url.get()
                    .orElseThrow(() -> new WentWrong(
                            "Expected PostgreSQL to start, but it did not. Why is in " + child.log() + "."));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    void end() {
        child.end(SECONDS_TO_END);
        endLeftOver(folder);
    }

    /** The server of this folder, of which nobody takes care any more: whoever had started it was killed. */
    private static void endLeftOver(Path folder) {
        Path file = folder.resolve(Database.DATA).resolve("postmaster.pid");
        try {
            long pid = Long.parseLong(Files.readAllLines(file).get(0).strip());
            ProcessHandle.of(pid)
                    .filter(process -> process.info().command().orElse("").endsWith("postgres"))
                    .filter(ProcessHandle::destroyForcibly)
                    .ifPresent(process -> process.onExit().join());
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException none) {
            // it was stopped in good order
        }
    }
}
