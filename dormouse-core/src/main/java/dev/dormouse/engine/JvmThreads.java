package dev.dormouse.engine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;

/** Real threads in real time: virtual ones for workflow code where the runtime has them (Java 21 and later). */
public final class JvmThreads implements Threads {
    private static final @Nullable MethodHandle VIRTUAL_EXECUTOR = findVirtualExecutor();
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final JvmCodePool platform = new JvmCodePool(IDLE);
    private final @Nullable ExecutorService virtual = newVirtualExecutor();

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
        Executor executor = virtual == null ? platform : virtual;
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
    public Instant wallTime() {
        return Instant.now();
    }

    @Override
    public void close() {
        platform.close();
        if (virtual != null) {
            virtual.shutdown();
        }
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

    private static @Nullable ExecutorService newVirtualExecutor() {
        try {
            return VIRTUAL_EXECUTOR == null ? null : (ExecutorService) VIRTUAL_EXECUTOR.invoke();
        } catch (Throwable preview) {
            return null; // Java 19 and 20 have it, but refuse it without a flag
        }
    }
}
