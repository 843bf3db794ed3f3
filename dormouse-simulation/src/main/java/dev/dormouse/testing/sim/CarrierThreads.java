package dev.dormouse.testing.sim;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** The real threads that execute simulated ones: virtual if the runtime has them, otherwise pooled. */
final class CarrierThreads {
    static final Executor POOL = virtual();

    private CarrierThreads() {}

    private static Executor virtual() {
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (ReflectiveOperationException none) {
            return Executors.newCachedThreadPool(CarrierThreads::daemon);
        }
    }

    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(body, "sim-carrier");
        thread.setDaemon(true);
        return thread;
    }
}
