package dev.dormouse.remote;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.remote.v1.StoreGrpc;
import dev.dormouse.remote.v1.StoreProto.HelloRequest;
import dev.dormouse.remote.v1.StoreProto.HelloResponse;
import dev.dormouse.remote.wire.ErrorWire;
import dev.dormouse.remote.wire.Protocol;
import dev.dormouse.remote.wire.ServerAddress;
import dev.dormouse.store.base.StoreException;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The calls of one client to the servers of a store.
 *
 * <p>All calls go to one of the addresses. If a server cannot be reached or does not answer in time, the calls after that
 * go to the next address. The first call on a connection is a Hello, which compares versions and shards. So a server that
 * was replaced by one of another version or store is noticed.
 *
 * <p>Thread-safe. Threads that lose the same server move to the next one once.
 */
final class ServerCalls implements AutoCloseable {
    /**
     * The time after which a call is given up. A server waits up to 5 s for a connection to its database and up to 20 s
     * for a statement.
     */
    static final Duration LONGEST_CALL = Duration.ofSeconds(30);

    /** The time for a Hello, for which a server reads its database at most once. */
    private static final Duration LONGEST_HELLO = Duration.ofSeconds(10);

    private static final Duration KEEP_ALIVE = Duration.ofSeconds(10);
    private static final Duration KEEP_ALIVE_ANSWER = Duration.ofSeconds(5);
    private static final Duration CLOSE = Duration.ofSeconds(2);
    private static final String CLIENT = "dormouse-java "
            + Optional.ofNullable(ServerCalls.class.getPackage().getImplementationVersion())
                    .orElse("development");

    /** A server and the connection to it. */
    static final class Endpoint {
        final ServerAddress address;
        final ManagedChannel channel;

        /** True if a Hello was answered on the present connection. */
        volatile boolean greeted;

        Endpoint(ServerAddress address) {
            this.address = address;
            this.channel = NettyChannelBuilder.forAddress(new InetSocketAddress(address.host(), address.port()))
                    .usePlaintext()
                    .proxyDetector(target -> null)
                    .maxInboundMessageSize(Protocol.MOST_ANSWER_BYTES)
                    .maxInboundMetadataSize(Protocol.MOST_METADATA_BYTES)
                    .keepAliveTime(KEEP_ALIVE.toMillis(), TimeUnit.MILLISECONDS)
                    .keepAliveTimeout(KEEP_ALIVE_ANSWER.toMillis(), TimeUnit.MILLISECONDS)
                    .disableRetry()
                    .build();
        }
    }

    private final List<Endpoint> endpoints;
    private final AtomicInteger current = new AtomicInteger();

    /** The number of shards; 0 before the first Hello. */
    private final AtomicInteger shards = new AtomicInteger();

    private volatile boolean closed;

    ServerCalls(List<ServerAddress> addresses) {
        endpoints = addresses.stream().map(Endpoint::new).toList();
    }

    /**
     * Calls a method that changes nothing, or that may be repeated. If a server is lost, tries the other addresses.
     *
     * @throws DormouseException the error that the server returned
     * @throws ServerLostException if no server has answered
     */
    <Q, A> A read(MethodDescriptor<Q, A> method, Q request) {
        for (int others = endpoints.size() - 1; ; others--) {
            try {
                return call(method, request);
            } catch (ServerLostException e) {
                if (others == 0 || closed) {
                    throw e;
                }
            }
        }
    }

    /**
     * Calls a method once.
     *
     * @throws DormouseException the error that the server returned
     * @throws ServerLostException if the server has not answered; the call may have taken effect
     */
    <Q, A> A call(MethodDescriptor<Q, A> method, Q request) {
        Endpoint endpoint = greeted();
        return call(endpoint, method, request, LONGEST_CALL);
    }

    /** Returns the present server. */
    Endpoint present() {
        return endpoints.get(current.get());
    }

    /** Returns the present server, after it has answered a Hello on the present connection. */
    Endpoint greeted() {
        Endpoint endpoint = present();
        if (!endpoint.greeted || endpoint.channel.getState(false) != ConnectivityState.READY) {
            hello(endpoint);
        }
        return endpoint;
    }

    /** Returns what the server says about itself and its store. */
    HelloResponse hello() {
        for (int others = endpoints.size() - 1; ; others--) {
            try {
                return hello(present());
            } catch (ServerLostException e) {
                if (others == 0) {
                    throw e;
                }
            }
        }
    }

    private HelloResponse hello(Endpoint endpoint) {
        HelloRequest request = HelloRequest.newBuilder()
                .setProtocol(Protocol.VERSION)
                .setClient(CLIENT)
                .build();
        HelloResponse hello = call(endpoint, StoreGrpc.getHelloMethod(), request, LONGEST_HELLO);
        if (hello.getProtocol() != Protocol.VERSION) {
            throw incompatible(endpoint, "version " + hello.getProtocol());
        }
        if (hello.getShards() < 1 || !shards.compareAndSet(0, hello.getShards()) && shards.get() != hello.getShards()) {
            throw new StoreException(
                    ErrorCode.SERVER_INCOMPATIBLE,
                    "Expected all servers to have the same store, with " + shards.get() + " shards, but that of "
                            + endpoint.address + " has " + hello.getShards()
                            + ". List only servers of one store in the URL.",
                    null);
        }
        endpoint.greeted = true;
        return hello;
    }

    private static StoreException incompatible(Endpoint endpoint, String version) {
        return new StoreException(
                ErrorCode.SERVER_INCOMPATIBLE,
                "Expected a Dormouse server at " + endpoint.address + " that speaks protocol version "
                        + Protocol.VERSION + ", but it speaks " + version
                        + ". Check the port, and use the same version of Dormouse on both sides.",
                null);
    }

    private <Q, A> A call(Endpoint endpoint, MethodDescriptor<Q, A> method, Q request, Duration atMost) {
        try {
            return UnaryCall.run(endpoint.channel, method, request, atMost);
        } catch (StatusRuntimeException failed) {
            throw failure(endpoint, failed);
        }
    }

    /** Returns the error of a call that has failed, and moves to the next address if the server was lost. */
    DormouseException failure(Endpoint endpoint, StatusRuntimeException failed) {
        Status status = failed.getStatus();
        Optional<DormouseException> theirs = ErrorWire.read(status, failed.getTrailers());
        if (theirs.isPresent()) {
            return theirs.get();
        }
        return switch (status.getCode()) {
            case UNAVAILABLE -> {
                lost(endpoint);
                yield new ServerLostException(
                        StoreTrouble.AWAY,
                        "Expected an answer of the Dormouse server at " + endpoint.address + ", but "
                                + (closed ? "this store was closed" : "it cannot be reached: " + reason(status))
                                + ". Check that the server runs, and the host and port in the URL.",
                        failed);
            }
            case DEADLINE_EXCEEDED -> {
                lost(endpoint);
                yield new ServerLostException(
                        StoreTrouble.BLOCKED,
                        "Expected an answer of the Dormouse server at " + endpoint.address
                                + ", but there was none in time. Check the server and its database.",
                        failed);
            }
            case UNIMPLEMENTED -> incompatible(endpoint, "another protocol or an earlier version");
            default ->
                endpoint.greeted
                        ? new StoreException(
                                ErrorCode.STORE_FAILED,
                                "Expected an answer of the Dormouse server at " + endpoint.address
                                        + ", but the call failed: " + status.getCode() + ", " + reason(status)
                                        + ". Read the log of the server.",
                                failed)
                        : incompatible(endpoint, "another protocol");
        };
    }

    private static String reason(Status status) {
        Throwable cause = status.getCause();
        String description = status.getDescription();
        return cause != null && cause.getMessage() != null
                ? cause.getMessage()
                : description == null ? "no reason given" : description;
    }

    /** Makes the next address the present one, unless another thread has done that. */
    private void lost(Endpoint endpoint) {
        endpoint.greeted = false;
        int index = endpoints.indexOf(endpoint);
        current.compareAndSet(index, (index + 1) % endpoints.size());
        if (!closed) {
            endpoint.channel.resetConnectBackoff(); // the next call tries to connect, whenever it comes
        }
    }

    @Override
    public void close() {
        closed = true;
        endpoints.forEach(endpoint -> endpoint.channel.shutdown());
        boolean interrupted = false;
        for (Endpoint endpoint : endpoints) {
            try {
                if (!endpoint.channel.awaitTermination(CLOSE.toMillis(), TimeUnit.MILLISECONDS)) {
                    endpoint.channel.shutdownNow();
                }
            } catch (InterruptedException e) {
                endpoint.channel.shutdownNow();
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
