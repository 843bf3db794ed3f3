package dev.dormouse.cli.serve;

import dev.dormouse.Dormouse;
import dev.dormouse.DormouseBuilder;
import dev.dormouse.WorkflowModule;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.dag.Dags;
import dev.dormouse.observability.MicrometerMetrics;
import dev.dormouse.server.DormouseServer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A Dormouse and its server, until the process is told to end. */
final class Serving {
    private Serving() {}

    /**
     * Opens both, says where they are, and returns when the process ends.
     *
     * @param settings with everything but the Dormouse
     */
    static void untilStopped(
            DormouseBuilder builder, List<WorkflowModule> modules, DormouseServer.Builder settings, Screen screen)
            throws InterruptedException {
        Dags dags = Dags.of();
        modules.forEach(module -> module.register(builder));
        CountDownLatch stop = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (Dormouse dormouse =
                        builder.with(dags).with(MicrometerMetrics.of(metrics)).open();
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

    /** On the thread of a process that ends: lets the other one close everything first. */
    private static void end(CountDownLatch stop, CountDownLatch stopped) {
        stop.countDown();
        try {
            stopped.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
