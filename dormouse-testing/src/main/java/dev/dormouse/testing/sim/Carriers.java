package dev.dormouse.testing.sim;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The real threads under the simulated ones: virtual where the runtime has them, otherwise pooled. */
final class Carriers {
    static final Executor POOL = virtual();

    private Carriers() {}

    private static Executor virtual() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException none) {
            return Executors.newCachedThreadPool(Carriers::daemon);
        }
    }

    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(body, "sim-carrier");
        thread.setDaemon(true);
        return thread;
    }
}
