package dev.dormouse.remote;

import dev.dormouse.error.DormouseException;
import dev.dormouse.remote.v1.StoreGrpc;
import dev.dormouse.remote.v1.StoreProto.NotifyRequest;
import dev.dormouse.remote.v1.StoreProto.NotifyResponse;
import dev.dormouse.remote.wire.EventWire;
import dev.dormouse.store.base.Notice;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sender of notices that never blocks. One call is on its way at a time; notices that are added meanwhile are sent
 * with the next call. If a call fails, its notices are lost. If too many wait, the oldest are lost.
 *
 * <p>Thread-safe. The lock guards the queue and is never held during a call.
 */
final class NoticeSender {
    private static final Logger LOG = LoggerFactory.getLogger(NoticeSender.class);
    private static final int MOST_WAITING = 10_000;
    private static final int MOST_AT_ONCE = 1_000;
    private static final int SECONDS = 10;

    private final Supplier<ServerCalls.Endpoint> server;
    private final ArrayDeque<Notice> waiting = new ArrayDeque<>();
    private boolean isSending;

    NoticeSender(Supplier<ServerCalls.Endpoint> server) {
        this.server = server;
    }

    void add(List<Notice> notices) {
        synchronized (waiting) {
            waiting.addAll(notices);
            while (waiting.size() > MOST_WAITING) {
                waiting.poll();
            }
            if (isSending || waiting.isEmpty()) {
                return;
            }
            isSending = true;
        }
        sendNext();
    }

    private void sendNext() {
        try {
            send();
        } catch (RuntimeException e) {
            LOG.debug("Could not send notices.", e);
            synchronized (waiting) {
                isSending = false;
            }
        }
    }

    private void send() {
        NotifyRequest.Builder request = NotifyRequest.newBuilder();
        synchronized (waiting) {
            if (waiting.isEmpty()) {
                isSending = false;
                return;
            }
            while (!waiting.isEmpty() && request.getNoticesCount() < MOST_AT_ONCE) {
                addTo(request, waiting.remove());
            }
        }
        ClientCall<NotifyRequest, NotifyResponse> call = server.get()
                .channel
                .newCall(StoreGrpc.getNotifyMethod(), CallOptions.DEFAULT.withDeadlineAfter(SECONDS, TimeUnit.SECONDS));
        call.start(
                new ClientCall.Listener<>() {
                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        if (!status.isOk()) {
                            LOG.debug("Could not send notices: {}", status);
                        }
                        sendNext();
                    }
                },
                new Metadata());
        call.request(2);
        call.sendMessage(request.build());
        call.halfClose();
    }

    private static void addTo(NotifyRequest.Builder request, Notice notice) {
        try {
            request.addNotices(EventWire.write(notice));
        } catch (DormouseException unsendable) {
            LOG.debug("Could not send a notice.", unsendable);
        }
    }
}
