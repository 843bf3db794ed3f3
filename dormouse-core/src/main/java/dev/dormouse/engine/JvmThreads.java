package dev.dormouse.engine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Real threads in real time: virtual ones for workflow code where the runtime has them (Java 21 and later). */
public final class JvmThreads implements Threads {
    private static final @Nullable MethodHandle VIRTUAL_EXECUTOR = findVirtualExecutor();

    private final ExecutorService code = VIRTUAL_EXECUTOR == null ? pool() : virtual(VIRTUAL_EXECUTOR);

    /** Whether workflow code gets virtual threads here. */
    public static boolean hasVirtualThreads() {
        return VIRTUAL_EXECUTOR != null;
    }

    @Override
    public void startEngine(String name, Runnable body) {
        Thread thread = new Thread(body, "dormouse-" + name);
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void startCode(String name, Runnable body) {
        Executor executor = code;
        executor.execute(body);
    }

    @Override
    public Gate newGate() {
        return new JvmGate();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void close() {
        code.shutdown();
    }

    private static ExecutorService pool() {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), JvmThreads::daemon);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static Thread daemon(Runnable body) {
        Thread thread = new Thread(body, "dormouse-code");
        thread.setDaemon(true);
        return thread;
    }

    private static @Nullable MethodHandle findVirtualExecutor() {
        try {
            return MethodHandles.publicLookup()
                    .findStatic(
                            java.util.concurrent.Executors.class,
                            "newVirtualThreadPerTaskExecutor",
                            MethodType.methodType(ExecutorService.class));
        } catch (NoSuchMethodException | IllegalAccessException older) {
            return null;
        }
    }

    private static ExecutorService virtual(MethodHandle executor) {
        try {
            return (ExecutorService) executor.invoke();
        } catch (Throwable preview) {
            return pool(); // Java 19 and 20 have it, but refuse it without a flag
        }
    }
}
