package dev.dormouse.remote.serve;

import dev.dormouse.error.DormouseException;
import dev.dormouse.remote.v1.EventProto;
import dev.dormouse.remote.v1.StoreProto.ListenResponse;
import dev.dormouse.remote.wire.EventWire;
import dev.dormouse.store.base.Notice;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.ArrayDeque;
import java.util.List;

/**
 * The stream of notices to one node. Notices that the node is too slow to take wait here. If too many wait, they are
 * dropped, and the node is told of the gap.
 *
 * <p>Thread-safe. Sending does not block: gRPC buffers a bounded number of bytes, and says when it is ready for more.
 */
final class NoticeStream {
    static final int MOST_WAITING = 1_000;
    private static final int MOST_AT_ONCE = 200;

    private final ServerCallStreamObserver<ListenResponse> node;
    private final ArrayDeque<EventProto.Notice> waiting = new ArrayDeque<>();
    private boolean gap;
    private boolean ended;

    NoticeStream(ServerCallStreamObserver<ListenResponse> node) {
        this.node = node;
    }

    /** Tells the node that the server listens. */
    synchronized void opened() {
        if (!ended) {
            node.onNext(ListenResponse.getDefaultInstance());
        }
    }

    synchronized void add(List<Notice> notices) {
        for (Notice notice : notices) {
            try {
                waiting.add(EventWire.write(notice));
            } catch (DormouseException notExpressible) {
                gap = true;
            }
        }
        if (waiting.size() > MOST_WAITING) {
            waiting.clear();
            gap = true;
        }
        send();
    }

    synchronized void addGap() {
        gap = true;
        send();
    }

    /** Sends what waits, as far as the node takes it. */
    synchronized void send() {
        while (!ended && node.isReady() && (gap || !waiting.isEmpty())) {
            ListenResponse.Builder answer = ListenResponse.newBuilder().setGap(gap);
            while (!waiting.isEmpty() && answer.getNoticesCount() < MOST_AT_ONCE) {
                answer.addNotices(waiting.remove());
            }
            gap = false;
            node.onNext(answer.build());
        }
    }

    /** Ends the stream because the server shuts down. The node opens another one, perhaps on another server. */
    synchronized void shutDown() {
        if (!ended) {
            ended = true;
            node.onError(Status.UNAVAILABLE
                    .withDescription("The server is shutting down.")
                    .asRuntimeException());
        }
    }

    /** Stops sending, because the node has gone. */
    synchronized void stop() {
        ended = true;
        waiting.clear();
    }
}
