package dev.dormouse.internal.thread;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loop that is restarted if an exception or an error of the virtual machine ends it, such as an {@link
 * OutOfMemoryError} during error handling. Without this the node would stop doing the work of that loop. A loop that
 * returns is not restarted.
 */
final class Supervised implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Supervised.class);
    private static final Duration PAUSE = Duration.ofMillis(500);

    private final String name;
    private final Runnable loop;
    private final Gate pause;

    Supervised(Threads threads, String name, Runnable loop) {
        this.name = name;
        this.loop = loop;
        this.pause = threads.newGate();
    }

    @Override
    public void run() {
        while (!hasEnded()) {
            pause.pass(PAUSE);
        }
    }

    private boolean hasEnded() {
        try {
            loop.run();
            return true;
        } catch (RuntimeException | LinkageError | VirtualMachineError problem) {
            return report(problem);
        }
    }

    private boolean report(Throwable problem) {
        try {
            LOG.error("The loop '{}' was ended by an error; it restarts", name, problem);
        } catch (LinkageError | VirtualMachineError another) {
            problem.addSuppressed(another); // not even enough memory to log it
        }
        return false;
    }
}
