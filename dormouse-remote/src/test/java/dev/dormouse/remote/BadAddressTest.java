package dev.dormouse.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.inspect.StoreTrouble;
import dev.dormouse.remote.serve.RemoteServer;
import dev.dormouse.remote.v1.StoreGrpc;
import dev.dormouse.remote.v1.StoreProto.HelloRequest;
import dev.dormouse.remote.v1.StoreProto.HelloResponse;
import dev.dormouse.store.Store;
import dev.dormouse.store.StoreProvider;
import dev.dormouse.store.base.StoreException;
import dev.dormouse.store.run.StartOutcome;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.ServiceLoader;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Addresses that lead nowhere or to something else, and operations that a remote store does not have. */
@Timeout(60)
class BadAddressTest {
    private static AbstractStringAssert<?> assertError(ErrorCode code, ThrowingCallable call) {
        DormouseException e = catchThrowableOfType(DormouseException.class, call);
        assertThat(e).isNotNull();
        assertThat(e.code()).as(e.getMessage()).isEqualTo(code);
        return assertThat(e.getMessage()).startsWith("[" + code.label() + "] Expected ");
    }

    private static NettyServerBuilder onFreePort() {
        return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @Test
    void providerIsFoundByItsUrl() {
        List<String> forms = ServiceLoader.load(StoreProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(provider -> provider.accepts("dormouse://localhost:1"))
                .map(StoreProvider::urlForm)
                .toList();
        assertThat(forms).containsExactly("dormouse://HOST:PORT[,HOST:PORT…]");
        assertThat(new RemoteStoreProvider().accepts("sqlite:dormouse.db")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dormouse:",
                "dormouse://",
                "dormouse:localhost:7171",
                "dormouse://localhost",
                "dormouse://localhost:",
                "dormouse://localhost:0",
                "dormouse://localhost:65536",
                "dormouse://localhost:port",
                "dormouse://localhost:7171,",
                "dormouse://localhost:7171/orders",
                "dormouse://ada:secret@localhost:7171",
                "dormouse://::1:7171"
            })
    void malformedUrlIsRefused(String url) {
        assertError(ErrorCode.UNKNOWN_STORE, () -> Stores.remote(url))
                .contains("dormouse://HOST:PORT")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dormouse://engine-1:7171",
                "dormouse://10.0.0.1:7171",
                "dormouse://localhost:7171,127.evil.example:7171",
                "dormouse://[2001:db8::1]:7171"
            })
    void otherMachinesAreRefusedWithoutEncryption(String url) {
        assertError(ErrorCode.BAD_SETTING, () -> Stores.remote(url)).contains("not encrypted");
    }

    @Test
    void serverListensOnThisMachineOnly() {
        try (Store store = Stores.sqlite("sqlite::memory:", 1)) {
            assertError(ErrorCode.BAD_SETTING, () -> RemoteServer.start(store, "0.0.0.0", 0));
        }
    }

    @Test
    void portInUseIsReported() {
        try (Store store = Stores.sqlite("sqlite::memory:", 1);
                RemoteServer server = RemoteServer.start(store, "127.0.0.1", 0)) {
            assertError(ErrorCode.SERVER_NOT_STARTED, () -> RemoteServer.start(store, "127.0.0.1", server.port()))
                    .contains(":" + server.port());
        }
    }

    @Test
    void serverThatIsNotThereIsReported() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        assertError(ErrorCode.STORE_UNAVAILABLE, () -> Stores.remote("dormouse://127.0.0.1:" + port))
                .contains("127.0.0.1:" + port, "refused");
    }

    @Test
    void serverOfAnotherKindIsReported() throws Exception {
        try (ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread thread = new Thread(() -> answerLikeAWebServer(web));
            thread.setDaemon(true);
            thread.start();
            assertError(
                            ErrorCode.SERVER_INCOMPATIBLE,
                            () -> Stores.remote("dormouse://127.0.0.1:" + web.getLocalPort()))
                    .contains("Check the port");
        }
    }

    private static void answerLikeAWebServer(ServerSocket web) {
        try {
            while (true) {
                try (Socket client = web.accept()) {
                    client.getOutputStream()
                            .write("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
                    client.getOutputStream().flush();
                    client.shutdownOutput();
                    client.getInputStream().readAllBytes();
                }
            }
        } catch (IOException closed) {
            // the test has ended
        }
    }

    @Test
    void otherGrpcServerIsReported() throws Exception {
        Server other = onFreePort().build().start();
        try {
            assertError(ErrorCode.SERVER_INCOMPATIBLE, () -> Stores.remote("dormouse://127.0.0.1:" + other.getPort()));
        } finally {
            other.shutdownNow();
        }
    }

    @Test
    void serverOfAnotherVersionIsReported() throws Exception {
        Server later = onFreePort()
                .addService(new StoreGrpc.StoreImplBase() {
                    @Override
                    public void hello(HelloRequest request, StreamObserver<HelloResponse> caller) {
                        caller.onNext(HelloResponse.newBuilder()
                                .setProtocol(2)
                                .setShards(1)
                                .build());
                        caller.onCompleted();
                    }
                })
                .build()
                .start();
        try {
            assertError(ErrorCode.SERVER_INCOMPATIBLE, () -> Stores.remote("dormouse://127.0.0.1:" + later.getPort()))
                    .contains("it speaks version 2");
        } finally {
            later.shutdownNow();
        }
    }

    @Test
    void clientOfAnotherVersionIsRefused() {
        try (Store store = Stores.sqlite("sqlite::memory:", 1);
                RemoteServer server = RemoteServer.start(store, "127.0.0.1", 0)) {
            ManagedChannel channel = NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                    .usePlaintext()
                    .build();
            StatusRuntimeException refused = catchThrowableOfType(
                    StatusRuntimeException.class,
                    () -> StoreGrpc.newBlockingStub(channel)
                            .hello(HelloRequest.newBuilder().setProtocol(99).build()));
            channel.shutdownNow();
            assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
            assertThat(refused.getStatus().getDescription()).contains("speaks version 99");
        }
    }

    @Test
    void serversOfDifferentStoresAreReported() {
        try (Store one = Stores.sqlite("sqlite::memory:", 1);
                Store other = Stores.sqlite("sqlite::memory:", 2);
                RemoteServer first = RemoteServer.start(one, "127.0.0.1", 0);
                RemoteServer second = RemoteServer.start(other, "127.0.0.1", 0);
                Store store = Stores.remote("dormouse://127.0.0.1:" + first.port() + ",127.0.0.1:" + second.port())) {
            first.close();
            assertError(ErrorCode.SERVER_INCOMPATIBLE, () -> store.now(0)).contains("List only servers of one store");
        }
    }

    @Test
    void whatNeedsAConnectionIsRefused() {
        try (Store behind = Stores.sqlite("sqlite::memory:", 1);
                RemoteServer server = RemoteServer.start(behind, "127.0.0.1", 0);
                Store store = Stores.remote(server.url())) {
            assertError(ErrorCode.NOT_SUPPORTED_BY_STORE, () -> store.begin(0).close());
            assertError(ErrorCode.NOT_SUPPORTED_BY_STORE, () -> store.backup(Path.of("copy.db")));
            assertError(ErrorCode.NOT_SUPPORTED_BY_STORE, () -> store.startWithin(null, 0, Runs.start("a")));
            assertError(ErrorCode.NOT_SUPPORTED_BY_STORE, () -> store.currentWithin(null, 0, "a"));
            assertError(
                    ErrorCode.NOT_SUPPORTED_BY_STORE,
                    () -> store.commitWithin(null, 0, "lane", Runs.step(Runs.start("a"), 1)));
            assertError(
                    ErrorCode.NOT_SUPPORTED_BY_STORE,
                    () -> new RemoteStoreProvider().script(Stores.config(server.url(), 1)));
            assertThat(store.isExclusive()).isFalse();
            assertThat(store.about().kind()).isEqualTo("SQLite");
        }
    }

    @Test
    void errorOfTheStoreBehindHasItsCode() {
        StoreException full = new StoreException(
                ErrorCode.STORE_FAILED, StoreTrouble.FULL, "Expected space, but there is none.", null);
        try (Store behind = Stores.sqlite("sqlite::memory:", 1);
                RemoteServer server = RemoteServer.start(
                        Watched.watch(
                                behind, (method, arguments) -> failOnNodes(method, full), (method, arguments) -> {}),
                        "127.0.0.1",
                        0);
                Store store = Stores.remote(server.url())) {
            assertError(ErrorCode.BAD_ARGUMENT, () -> store.current(0, "half \uD83D"));
            assertError(ErrorCode.INSTANT_OUT_OF_RANGE, () -> store.pages().overdueLanes(0, Instant.MAX));
            StartOutcome outcome = store.start(9, List.of(Runs.start("a"))).get(0);
            assertError(ErrorCode.BAD_ARGUMENT, () -> {
                throw ((StartOutcome.Unknown) outcome).cause();
            });
            assertThatThrownBy(() -> store.nodes(0))
                    .isExactlyInstanceOf(StoreException.class)
                    .hasMessage(full.getMessage())
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.trouble()).isEqualTo(StoreTrouble.FULL));
        }
    }

    private static void failOnNodes(String method, StoreException problem) {
        if (method.equals("nodes")) {
            throw problem;
        }
    }
}
