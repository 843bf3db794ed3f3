package dev.dormouse.remote.serve;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.remote.v1.StoreGrpc;
import dev.dormouse.remote.wire.Protocol;
import dev.dormouse.remote.wire.ServerAddress;
import dev.dormouse.store.Store;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server that makes a store available to remote nodes: {@code store("dormouse://HOST:PORT")} opens it. It keeps no
 * state of its own, so that any number of servers can share one store.
 *
 * <p>Connections are not encrypted, and every caller may do everything. So the server only listens on loopback addresses.
 *
 * <p><b>Threads</b>: calls run on a bounded number of threads, because they block in the store. Leases have threads of
 * their own, so that slow queries delay no renewal. Batches are sent by the writers of {@link StoreBatches}.
 */
public final class RemoteServer implements AutoCloseable {
    private static final int WORK_THREADS = 16;
    private static final int LEASE_THREADS = 4;
    private static final int CALLS_OF_A_CONNECTION = 1_000;
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(20);
    private static final Duration KEEP_ALIVE_ANSWER = Duration.ofSeconds(10);
    private static final Duration SHORTEST_KEEP_ALIVE = Duration.ofSeconds(5);
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** The calls that keep leases and nodes alive. */
    private static final Set<String> LEASE_CALLS = Set.of(
            StoreGrpc.getRenewMethod().getFullMethodName(),
            StoreGrpc.getSweepMethod().getFullMethodName(),
            StoreGrpc.getNowMethod().getFullMethodName(),
            StoreGrpc.getHelloMethod().getFullMethodName());

    private final ExecutorService work = callThreads(WORK_THREADS, "work");
    private final ExecutorService leases = callThreads(LEASE_THREADS, "lease");
    private final ExecutorService writers = Executors.newCachedThreadPool(named("write"));
    private final StoreService service;
    private final ServerAddress address;
    private final Server server;

    private RemoteServer(Store store, ServerAddress wanted) throws IOException {
        service = new StoreService(store, writers);
        server = NettyServerBuilder.forAddress(new InetSocketAddress(wanted.host(), wanted.port()))
                .executor(work)
                .callExecutor(new CallThreads(leases))
                .maxInboundMessageSize(Protocol.MOST_REQUEST_BYTES)
                .maxConcurrentCallsPerConnection(CALLS_OF_A_CONNECTION)
                .keepAliveTime(KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS)
                .keepAliveTimeout(KEEP_ALIVE_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveTime(SHORTEST_KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addService(service)
                .build();
        try {
            server.start();
        } catch (IOException e) {
            shutDownThreads();
            throw e;
        }
        address = new ServerAddress(wanted.host(), server.getPort());
    }

    /**
     * Starts a server.
     *
     * @param store the store, which the caller closes after the server
     * @param host a loopback address, such as {@code 127.0.0.1}
     * @param port the port; 0 for a free one
     * @throws DormouseException BAD_SETTING if the address is not of this machine; SERVER_NOT_STARTED if the port is in use
     */
    public static RemoteServer start(Store store, String host, int port) {
        ServerAddress wanted = new ServerAddress(host, port).checked();
        try {
            return new RemoteServer(store, wanted);
        } catch (IOException e) {
            throw new DormouseException(
                    ErrorCode.SERVER_NOT_STARTED,
                    "Expected " + wanted + " to be free for gRPC, but it is not: " + reason(e)
                            + ". Choose another port, or stop the program that uses it.",
                    e);
        }
    }

    private static String reason(Throwable e) {
        Throwable first = e.getCause() == null ? e : e.getCause();
        return String.valueOf(first.getMessage());
    }

    /** Returns the port on which the server listens. */
    public int port() {
        return address.port();
    }

    /** Returns the URL with which nodes open the store. */
    public String url() {
        return "dormouse://" + address;
    }

    /** Ends all streams, waits a few seconds for the calls that are being executed, and stops. */
    @Override
    public void close() {
        server.shutdown();
        service.close();
        try {
            if (!server.awaitTermination(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        }
        shutDownThreads();
    }

    private void shutDownThreads() {
        work.shutdown();
        leases.shutdown();
        writers.shutdown();
    }

    /** Returns threads for calls. They drop what gRPC reports about broken connections after the end. */
    private static ExecutorService callThreads(int number, String kind) {
        return new ThreadPoolExecutor(
                number,
                number,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                named(kind),
                new ThreadPoolExecutor.DiscardPolicy());
    }

    private static ThreadFactory named(String kind) {
        AtomicInteger number = new AtomicInteger();
        return task -> {
            Thread thread = new Thread(task, "dormouse-remote-" + kind + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        };
    }

    /** A choice of threads by method; the threads of the server if it is not about leases. */
    private record CallThreads(ExecutorService leases) implements ServerCallExecutorSupplier {
        @Override
        @SuppressWarnings("NullAway") // null is the executor of the server
        public <Q, A> ExecutorService getExecutor(ServerCall<Q, A> call, Metadata metadata) {
            return LEASE_CALLS.contains(call.getMethodDescriptor().getFullMethodName()) ? leases : null;
        }
    }
}
