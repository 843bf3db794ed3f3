package dev.dormouse.cli.serve;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.dag.Dags;
import dev.dormouse.observability.MicrometerMetrics;
import dev.dormouse.plugin.WorkflowModule;
import dev.dormouse.server.DormouseServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A runner of a node and its server, until the process is stopped. */
final class ServerRunner {
    private ServerRunner() {}

    /**
     * Opens both, prints the URL, and returns when the process is stopped.
     *
     * @param settings the server's settings, except its node
     */
    static void runUntilStopped(
            DormouseBuilder builder, List<WorkflowModule> modules, DormouseServer.Builder settings, Screen screen)
            throws InterruptedException {
        Dags dags = Dags.of();
        modules.forEach(module -> module.register(builder));
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (Dormouse dormouse = builder.plugin(dags)
                        .plugin(MicrometerMetrics.of(metrics))
                        .open();
                DormouseServer server = settings.dormouse(dormouse)
                        .dags(dags)
                        .metrics(metrics::scrape)
                        .start()) {
            modules.forEach(module -> module.opened(dormouse));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stop, stopped)));
            screen.line("Dormouse is at " + screen.style().bold(server.url()) + ". Stop it with Ctrl-C.");
            screen.flush();
            stop.await();
        } finally {
            stopped.countDown();
        }
    }

    /** Runs in the shutdown hook: waits until the main thread has closed everything. */
    private static void end(CountDownLatch stop, CountDownLatch stopped) {
        stop.countDown();
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
