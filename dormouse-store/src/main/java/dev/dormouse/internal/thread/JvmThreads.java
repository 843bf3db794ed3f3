package dev.dormouse.internal.thread;

import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * The threads of the Java virtual machine, in real time. Workflow code gets virtual threads if the runtime has them
 * (Java 21 and later).
 *
 * <p>A thread inherits nothing of the thread that starts it: neither inheritable thread-locals, such as a caller's
 * identity or transaction, nor its context class loader. All threads have the context class loader of the thread that
 * opened the Dormouse. Thread-safe.
 */
public final class JvmThreads implements Threads {
    private static final @Nullable ThreadFactory VIRTUAL = findVirtual();
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
    private final JvmCodePool platform = new JvmCodePool(IDLE, loader);
    private final @Nullable ExecutorService virtual = newVirtualExecutor();

    /** Returns true if workflow code gets virtual threads. */
    public static boolean hasVirtualThreads() {
        return VIRTUAL != null;
    }

    @Override
    public void startEngine(String name, Runnable body) {
        Thread thread = new Thread(null, body, "dormouse-" + name, 0, false);
        thread.setContextClassLoader(loader);
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

    /**
     * Returns the factory {@code Thread.ofVirtual().inheritInheritableThreadLocals(false).factory()}, or null if there
     * is none.
     */
    private static @Nullable ThreadFactory findVirtual() {
        try {
            Class<?> type = Class.forName("java.lang.Thread$Builder");
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            Object bare = type.getMethod("inheritInheritableThreadLocals", boolean.class)
                    .invoke(builder, false);
            return (ThreadFactory) type.getMethod("factory").invoke(bare);
        } catch (ClassNotFoundException
                | NoSuchMethodException
                | IllegalAccessException
                | InvocationTargetException older) {
            return null; // Java 19 and 20 have virtual threads, but refuse them without a flag
        }
    }

    private @Nullable ExecutorService newVirtualExecutor() {
        ThreadFactory factory = VIRTUAL;
        if (factory == null) {
            return null;
        }
        ThreadFactory withLoader = body -> {
            Thread thread = factory.newThread(body);
            thread.setContextClassLoader(loader);
            return thread;
        };
        try {
            return (ExecutorService) Executors.class
                    .getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
                    .invoke(null, withLoader);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException impossible) {
            throw new IllegalStateException("Expected an executor for virtual threads, but there is none.", impossible);
        }
    }
}
