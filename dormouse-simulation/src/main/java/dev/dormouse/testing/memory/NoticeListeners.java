package dev.dormouse.testing.memory;

import dev.dormouse.store.base.Notice;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners for notices, called on the sender's thread. Thread-safe. */
final class NoticeListeners {
    /** Not a record: two listeners are never equal, even with equal callbacks. */
    private static final class Listener {
        final Consumer<Notice> notices;
        final Runnable gap;

        Listener(Consumer<Notice> notices, Runnable gap) {
            this.notices = notices;
            this.gap = gap;
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(NoticeListeners.class);

    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    AutoCloseable listen(Consumer<Notice> notices, Runnable gap) {
        Listener listener = new Listener(notices, gap);
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void tell(Notice notice) {
        listeners.forEach(listener -> {
            try {
                listener.notices.accept(notice);
            } catch (RuntimeException failed) {
                LOG.warn("Expected a listener to take {}, but it failed.", notice, failed);
            }
        });
    }

    void gap() {
        listeners.forEach(listener -> listener.gap.run());
    }
}
