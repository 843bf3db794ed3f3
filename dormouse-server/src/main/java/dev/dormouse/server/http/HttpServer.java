package dev.dormouse.server.http;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import io.javalin.Javalin;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinBindException;
import java.util.EnumSet;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** The Javalin server, configured to pass every request to the {@link RequestHandler}. */
final class HttpServer implements AutoCloseable {
    /** More threads than request permits: for the connections themselves, for refusals and for {@code /healthz}. */
    private static final int THREADS = RequestLimit.MAX + 60;

    private static final int FEWEST_THREADS = 8;
    private static final int IDLE_MILLIS = 60_000;

    private final Javalin javalin;

    private HttpServer(Javalin javalin) {
        this.javalin = javalin;
    }

    static HttpServer start(String address, int port, RequestHandler exchange) {
        Javalin javalin = Javalin.create(config -> configure(config, exchange));
        try {
            javalin.start(address, port);
        } catch (RuntimeException refused) {
            javalin.stop();
            throw new DormouseException(
                    ErrorCode.SERVER_NOT_STARTED,
                    "Expected to listen on " + address + " port " + port + ", but "
                            + (refused instanceof JavalinBindException
                                    ? "it is in use, or not of this machine."
                                    : "that failed.")
                            + " Choose another port, or 0 for any that is free.",
                    refused);
        }
        return new HttpServer(javalin);
    }

    private static void configure(JavalinConfig config, RequestHandler exchange) {
        config.startup.showJavalinBanner = false;
        config.startup.showOldJavalinVersionWarning = false;
        config.startup.startupWatcherEnabled = false;
        QueuedThreadPool threads = new QueuedThreadPool(THREADS, FEWEST_THREADS, IDLE_MILLIS);
        threads.setName("dormouse-server-http");
        config.jetty.threadPool = threads;
        config.jetty.modifyHttpConfiguration(HttpServer::configure);
        config.jetty.modifyServer(server -> server.setErrorHandler(new JettyErrors()));
        config.jetty.modifyServletContextHandler(
                handler -> handler.getServletHandler().setDecodeAmbiguousURIs(true));
        config.routes.before(context -> {
            exchange.handle(context);
            context.skipRemainingHandlers();
        });
    }

    /**
     * Allows encoded slashes and other characters in paths, because ids may contain them. Decoded paths are never used
     * here.
     */
    private static void configure(HttpConfiguration http) {
        http.setSendServerVersion(false);
        http.setSendXPoweredBy(false);
        http.setUriCompliance(UriCompliance.from(EnumSet.of(
                UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR,
                UriCompliance.Violation.AMBIGUOUS_PATH_ENCODING,
                UriCompliance.Violation.AMBIGUOUS_EMPTY_SEGMENT,
                UriCompliance.Violation.AMBIGUOUS_PATH_SEGMENT,
                UriCompliance.Violation.SUSPICIOUS_PATH_CHARACTERS)));
    }

    int port() {
        return javalin.port();
    }

    @Override
    public void close() {
        javalin.stop();
    }
}
