package dev.dormouse.demo.worker;

import dev.dormouse.Dormouse;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.server.DormouseServer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The dashboard of a worker. It starts asynchronously; the worker does not wait for it. */
final class WorkerDashboard implements AutoCloseable {
    private static final int ANY = 0;

    private final CompletableFuture<@Nullable DormouseServer> server;

    WorkerDashboard(Dormouse dormouse, int port) {
        server = CompletableFuture.supplyAsync(() -> start(dormouse, port));
    }

    private static @Nullable DormouseServer start(Dormouse dormouse, int port) {
        try {
            DormouseServer started = serve(dormouse, port);
            PipeProtocol.say(PipeProtocol.Word.DASHBOARD, started.url());
            return started;
        } catch (DormouseException problem) {
            PipeProtocol.say(PipeProtocol.Word.SAY, "There is no dashboard: " + problem.getMessage());
            return null;
        }
    }

    private static DormouseServer serve(Dormouse dormouse, int port) {
        try {
            return DormouseServer.builder().dormouse(dormouse).port(port).start();
        } catch (DormouseException taken) {
            if (taken.code() != ErrorCode.SERVER_NOT_STARTED || port == ANY) {
                throw taken;
            }
            return serve(dormouse, ANY);
        }
    }

    @Override
    public void close() {
        DormouseServer started = server.join();
        if (started != null) {
            started.close();
        }
    }
}
