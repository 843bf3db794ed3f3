package dev.dormouse.remote.serve;

import dev.dormouse.remote.v1.StoreProto.ListenResponse;
import dev.dormouse.store.Store;
import dev.dormouse.store.base.Notice;
import io.grpc.stub.ServerCallStreamObserver;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange of notices between the remote nodes of a server and the nodes of its store.
 *
 * <p>A notice of a remote node goes to the store, which returns it to all listeners, this server included. A store that
 * only this process can use has no listeners: then the server passes the notice to its streams itself.
 *
 * <p>Concurrency: the server listens to the store from the first stream on. A stream is added before that, so that it
 * misses nothing.
 */
final class NoticeHub implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NoticeHub.class);

    private final Store store;
    private final Set<NoticeStream> streams = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable AutoCloseable listening;
    private boolean closed;

    NoticeHub(Store store) {
        this.store = store;
    }

    /**
     * Opens a stream to a node.
     *
     * @throws dev.dormouse.store.base.StoreException if the store cannot send notices
     */
    void open(ServerCallStreamObserver<ListenResponse> node) {
        NoticeStream stream = new NoticeStream(node);
        node.setOnReadyHandler(stream::send);
        node.setOnCancelHandler(() -> {
            streams.remove(stream);
            stream.stop();
        });
        streams.add(stream);
        try {
            listen();
        } catch (RuntimeException e) {
            streams.remove(stream);
            throw e;
        }
        stream.opened();
    }

    private void listen() {
        lock.lock();
        try {
            if (listening == null && !closed) {
                listening =
                        store.listen(notice -> publish(List.of(notice)), () -> streams.forEach(NoticeStream::addGap));
            }
        } finally {
            lock.unlock();
        }
    }

    /** Passes on the notices of a node. */
    void send(List<Notice> notices) {
        store.notify(notices);
        if (store.isExclusive()) {
            publish(notices);
        }
    }

    private void publish(List<Notice> notices) {
        streams.forEach(stream -> stream.add(notices));
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (listening != null) {
                listening.close();
            }
        } catch (Exception e) {
            LOG.debug("Could not stop listening.", e);
        } finally {
            lock.unlock();
        }
        streams.forEach(NoticeStream::shutDown);
    }
}
