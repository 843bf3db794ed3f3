package dev.dormouse.examples.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Where the story takes place: a folder of its own, and the workers in it. Clearing it leaves nothing behind. */
final class Stage {
    private final Path folder;
    private final List<WorkerProcess> workers = new ArrayList<>();
    private volatile boolean cleared;

    private Stage(Path folder) {
        this.folder = folder;
    }

    static Stage open() throws IOException {
        return new Stage(Files.createTempDirectory("dormouse-demo"));
    }

    /** The file in which the workers keep their workflows. */
    String store() {
        return storeIn(folder);
    }

    static String storeIn(Path folder) {
        return "sqlite:" + folder.resolve("demo.db");
    }

    MailFile mails() {
        return new MailFile(folder);
    }

    synchronized WorkerProcess startWorker(Worker.Task task) throws IOException {
        WentWrong.unless(!cleared, "Expected the demo to go on, but it was stopped.");
        WorkerProcess worker = WorkerProcess.start(folder, task);
        workers.add(worker);
        return worker;
    }

    boolean isCleared() {
        return cleared;
    }

    synchronized void clear() {
        cleared = true;
        workers.forEach(WorkerProcess::kill);
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(Stage::delete);
        } catch (IOException | UncheckedIOException e) {
            System.err.println("dormouse demo: Expected to delete " + folder + ", but that failed (" + e
                    + "). Delete it yourself.");
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
