package dev.dormouse.sqlite;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does at the end what must not hide what happened before. */
final class Quietly {
    private static final Logger LOG = LoggerFactory.getLogger(Quietly.class);

    private Quietly() {}

    static void close(@Nullable AutoCloseable closeable) {
        if (closeable != null) {
            run(closeable::close);
        }
    }

    static void run(Step step) {
        try {
            step.take();
        } catch (Exception e) {
            LOG.debug("Could not clean up.", e);
        }
    }

    @FunctionalInterface
    interface Step {
        void take() throws Exception;
    }
}
