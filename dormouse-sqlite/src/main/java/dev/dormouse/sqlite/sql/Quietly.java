package dev.dormouse.sqlite.sql;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A runner of clean-up code whose failure must not hide an earlier exception. Failures are logged at level DEBUG. */
public final class Quietly {
    private static final Logger LOG = LoggerFactory.getLogger(Quietly.class);

    private Quietly() {}

    public static void close(@Nullable AutoCloseable closeable) {
        if (closeable != null) {
            run(closeable::close);
        }
    }

    public static void run(Step step) {
        try {
            step.take();
        } catch (Exception e) {
            LOG.debug("Could not clean up.", e);
        }
    }

    @FunctionalInterface
    public interface Step {
        void take() throws Exception;
    }
}
