package dev.dormouse.examples.demo;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** A {@link Worker} as its parent sees it. What it has said last is kept here; belongs to the thread of the {@link Play}. */
final class WorkerProcess {
    private static final int SECONDS_TO_END = 15;

    private final Child child;
    private final String name;
    private final boolean isAlone;
    private final Instant startedAt = Instant.now();
    private Report report = Report.NONE;
    private String dashboard = "";
    private boolean isReady;

    private WorkerProcess(Child child, String name, boolean isAlone) {
        this.child = child;
        this.name = name;
        this.isAlone = isAlone;
    }

    /** @param isAlone whether there is no other worker at the time */
    static WorkerProcess start(
            Settings settings,
            boolean isAlone,
            BiConsumer<WorkerProcess, Wire.Message> listener,
            Consumer<WorkerProcess> atEnd)
            throws IOException {
        Child child = Child.start(Worker.class, settings.path(), "worker-" + settings.name());
        WorkerProcess worker = new WorkerProcess(child, settings.name(), isAlone);
        child.say(Wire.json(settings));
        child.listen(
                line -> Wire.read(line).ifPresent(message -> listener.accept(worker, message)),
                () -> atEnd.accept(worker));
        return worker;
    }

    String name() {
        return name;
    }

    long pid() {
        return child.pid();
    }

    boolean isAlone() {
        return isAlone;
    }

    Instant startedAt() {
        return startedAt;
    }

    Report report() {
        return report;
    }

    void reported(Report latest) {
        report = latest;
    }

    boolean isReady() {
        return isReady;
    }

    void becameReady() {
        isReady = true;
    }

    String dashboard() {
        return dashboard;
    }

    /** Of its dashboard, as soon as it serves one. */
    Optional<Integer> port() {
        return dashboard.isEmpty()
                ? Optional.empty()
                : Optional.of(URI.create(dashboard).getPort());
    }

    void serves(String url) {
        dashboard = url;
    }

    void tell(Wire.Word word, int order) {
        child.say(Wire.line(word, order));
    }

    boolean isAlive() {
        return child.isAlive();
    }

    int kill() {
        return child.kill();
    }

    /** Asks it to end in good order, and waits for that. */
    void stop() {
        child.say(Wire.line(Wire.Word.STOP, 0));
        child.end(SECONDS_TO_END);
    }

    int exitCode() {
        return child.exitCode();
    }

    Path log() {
        return child.log();
    }
}
