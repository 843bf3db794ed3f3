package dev.dormouse.remote;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.remote.v1.EventProto;
import dev.dormouse.remote.v1.StoreGrpc;
import dev.dormouse.remote.v1.StoreProto.ListenRequest;
import dev.dormouse.remote.v1.StoreProto.ListenResponse;
import dev.dormouse.remote.wire.EventWire;
import dev.dormouse.store.base.Notice;
import dev.dormouse.store.base.StoreException;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A stream of notices from a server. A stream that ends is replaced, by one of the next server if that one was lost, with
 * growing pauses while that fails. Once the new stream is open, {@code gap} is called: notices may have been missed.
 *
 * <p>Concurrency: gRPC calls the methods of one stream one after the other. {@code stream} is guarded by this object; a
 * stream that is opened while {@link #close} runs is cancelled by the thread that opens it. A listener may be called once
 * more after {@link #close}.
 */
final class NoticeListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NoticeListener.class);
    private static final long OPEN_SECONDS = 20;
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 2_000;

    private final ServerCalls calls;
    private final Consumer<Notice> receiver;
    private final Runnable gap;
    private final ScheduledThreadPoolExecutor timer;
    private @Nullable ClientCall<ListenRequest, ListenResponse> stream;
    private boolean closed;

    /** The number of attempts since a stream was open. */
    private volatile int attempts;

    NoticeListener(ServerCalls calls, Consumer<Notice> receiver, Runnable gap) {
        this.calls = calls;
        this.receiver = receiver;
        this.gap = gap;
        this.timer = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "dormouse-remote-listen");
            thread.setDaemon(true);
            return thread;
        });
        timer.setKeepAliveTime(1, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
    }

    /**
     * Opens the first stream, and returns when the server listens.
     *
     * @throws StoreException STORE_UNAVAILABLE if the server does not listen in time
     */
    NoticeListener start() {
        CompletableFuture<Boolean> opened = new CompletableFuture<>();
        try {
            open(opened, () -> {});
            opened.get(OPEN_SECONDS, TimeUnit.SECONDS);
            return this;
        } catch (DormouseException e) {
            close();
            throw e;
        } catch (ExecutionException | TimeoutException e) {
            close();
            throw new StoreException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "Expected the Dormouse server to send notices, but it does not. Check that the server runs.",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the server listens soon
            return this;
        }
    }

    /**
     * Opens a stream on the present server.
     *
     * @param opened is completed when the server listens, or the stream has failed
     * @param first is called when the server listens
     */
    private void open(CompletableFuture<Boolean> opened, Runnable first) {
        ServerCalls.Endpoint endpoint = calls.greeted();
        ClientCall<ListenRequest, ListenResponse> call =
                endpoint.channel.newCall(StoreGrpc.getListenMethod(), CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onMessage(ListenResponse answer) {
                        attempts = 0;
                        if (opened.complete(true)) {
                            pass(first);
                        }
                        received(answer);
                        call.request(1);
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        DormouseException reason = calls.failure(endpoint, status.asRuntimeException(trailers));
                        if (!opened.completeExceptionally(reason)) {
                            LOG.debug("Lost the stream of notices: {}", reason.getMessage());
                        }
                        reopen();
                    }
                },
                new Metadata());
        call.sendMessage(ListenRequest.getDefaultInstance());
        call.halfClose();
        call.request(1);
        keep(call);
    }

    private synchronized void keep(ClientCall<ListenRequest, ListenResponse> call) {
        if (closed) {
            call.cancel("closed", null);
        } else {
            stream = call;
        }
    }

    private void received(ListenResponse answer) {
        if (answer.getGap()) {
            pass(gap);
        }
        for (EventProto.Notice each : answer.getNoticesList()) {
            pass(() -> EventWire.read(each).ifPresent(receiver));
        }
    }

    private static void pass(Runnable notice) {
        try {
            notice.run();
        } catch (RuntimeException e) {
            LOG.warn("Expected to pass on a notice, but its receiver failed. It is lost.", e);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the task catches what it throws
    private synchronized void reopen() {
        if (closed) {
            return;
        }
        long pause = Math.min(FIRST_PAUSE_MILLIS << Math.min(attempts++, 10), LONGEST_PAUSE_MILLIS);
        timer.schedule(this::openAgain, pause / 2 + ThreadLocalRandom.current().nextLong(pause), TimeUnit.MILLISECONDS);
    }

    private void openAgain() {
        try {
            open(new CompletableFuture<>(), gap);
        } catch (RuntimeException e) {
            LOG.debug("Could not listen again.", e);
            reopen();
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        timer.shutdownNow();
        if (stream != null) {
            stream.cancel("closed", null);
        }
    }
}
