package dev.dormouse.demo.run;

import dev.dormouse.demo.worker.DemoWorker;
import dev.dormouse.demo.worker.PipeProtocol;
import dev.dormouse.demo.worker.WorkerReport;
import dev.dormouse.demo.worker.WorkerSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The parent's handle to a {@link DemoWorker} process, with its latest report. Confined to the thread of the {@link
 * DemoRun}.
 */
public final class WorkerProcess {
    private static final int SECONDS_TO_END = 15;

    private final JavaProcess child;
    private final String name;
    private final boolean isAlone;
    private final Instant startedAt = Instant.now();
    private WorkerReport report = WorkerReport.NONE;
    private String dashboard = "";
    private boolean isReady;

    private WorkerProcess(JavaProcess child, String name, boolean isAlone) {
        this.child = child;
        this.name = name;
        this.isAlone = isAlone;
    }

    /** @param isAlone true if there is no other worker at the time */
    static WorkerProcess start(
            WorkerSettings settings,
            boolean isAlone,
            BiConsumer<WorkerProcess, PipeProtocol.Message> listener,
            Consumer<WorkerProcess> atEnd)
            throws IOException {
        JavaProcess child = JavaProcess.start(DemoWorker.class, settings.path(), "worker-" + settings.name());
        WorkerProcess worker = new WorkerProcess(child, settings.name(), isAlone);
        child.say(PipeProtocol.json(settings));
        child.listen(
                line -> PipeProtocol.read(line).ifPresent(message -> listener.accept(worker, message)),
                () -> atEnd.accept(worker));
        return worker;
    }

    public String name() {
        return name;
    }

    public long pid() {
        return child.pid();
    }

    boolean isAlone() {
        return isAlone;
    }

    Instant startedAt() {
        return startedAt;
    }

    public WorkerReport report() {
        return report;
    }

    void reported(WorkerReport latest) {
        report = latest;
    }

    public boolean isReady() {
        return isReady;
    }

    void becameReady() {
        isReady = true;
    }

    public String dashboard() {
        return dashboard;
    }

    /** Returns the port of its dashboard, as soon as it serves one. */
    Optional<Integer> port() {
        return dashboard.isEmpty()
                ? Optional.empty()
                : Optional.of(URI.create(dashboard).getPort());
    }

    void serves(String url) {
        dashboard = url;
    }

    void tell(PipeProtocol.Word word, int order) {
        child.say(PipeProtocol.line(word, order));
    }

    boolean isAlive() {
        return child.isAlive();
    }

    int kill() {
        return child.kill();
    }

    /** Stops it gracefully, and waits for its end. */
    void stop() {
        child.say(PipeProtocol.line(PipeProtocol.Word.STOP, 0));
        child.end(SECONDS_TO_END);
    }

    int exitCode() {
        return child.exitCode();
    }

    Path log() {
        return child.log();
    }
}
