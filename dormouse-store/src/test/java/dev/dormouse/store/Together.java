package dev.dormouse.store;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs the same task on many threads that begin at the same moment. */
final class Together {
    interface Work<T> {
        T run(int thread) throws Exception;
    }

    private Together() {}

    static <T> List<T> run(int threads, Work<T> work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        CountDownLatch ready = new CountDownLatch(threads);
        try {
            List<Future<T>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                futures.add(pool.submit(() -> {
                    ready.countDown();
                    ready.await();
                    return work.run(thread);
                }));
            }
            return resultsOf(futures);
        } finally {
            pool.shutdownNow();
        }
    }

    private static <T> List<T> resultsOf(List<Future<T>> futures) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> future : futures) {
            try {
                results.add(future.get());
            } catch (ExecutionException failed) {
                throw new AssertionError("Expected every thread to succeed, but one did not.", failed.getCause());
            }
        }
        return results;
    }
}
