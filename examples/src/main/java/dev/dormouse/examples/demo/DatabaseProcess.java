package dev.dormouse.examples.demo;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The {@link Database} as its parent sees it. */
final class DatabaseProcess {
    private static final int SECONDS_TO_END = 20;

    private final Child child;
    private final CompletableFuture<Optional<String>> url = new CompletableFuture<>();

    private DatabaseProcess(Child child) {
        this.child = child;
    }

    static DatabaseProcess start(Path folder) throws IOException {
        DatabaseProcess database =
                new DatabaseProcess(Child.start(Database.class, folder, "postgres", folder.toString()));
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
                    .orElseThrow(
                            () -> new WentWrong("Expected PostgreSQL to start, but it did not:\n" + child.lastWords()));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    void end() {
        child.end(SECONDS_TO_END);
    }
}
