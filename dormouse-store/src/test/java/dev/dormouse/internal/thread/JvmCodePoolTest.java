package dev.dormouse.internal.thread;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JvmCodePoolTest {
    private final JvmCodePool pool = new JvmCodePool(Duration.ofSeconds(20), null);

    @AfterEach
    void close() {
        pool.close();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(30, SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nothingWaitsForATaskThatBlocks() {
        CountDownLatch all = new CountDownLatch(300);
        for (int i = 0; i < 300; i++) {
            pool.execute(() -> {
                all.countDown();
                await(all); // ends only when each task has a thread
            });
        }
        await(all);
    }

    /** Adds tasks from many threads. A lost wake-up would leave a task in the queue. */
    @Test
    void everyTaskIsDoneHoweverTheyComeIn() throws Exception {
        int producers = 4;
        int rounds = 3_000;
        int tasks = 7;
        CyclicBarrier together = new CyclicBarrier(producers);
        List<Thread> threads = new ArrayList<>();
        CountDownLatch ended = new CountDownLatch(producers * rounds * tasks);
        for (int i = 0; i < producers; i++) {
            threads.add(new Thread(() -> {
                for (int round = 0; round < rounds; round++) {
                    CountDownLatch mine = new CountDownLatch(tasks);
                    for (int task = 0; task < tasks; task++) {
                        pool.execute(() -> {
                            ended.countDown(); // first: when the last of these is counted, all of them are
                            mine.countDown();
                        });
                    }
                    await(mine);
                    meet(together);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(ended.getCount()).isZero();
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(30, SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void threadsAreUsedAgainWithoutTheInterruptsOfEarlierTasks() {
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        Set<Boolean> interrupted = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 200; i++) {
            CountDownLatch done = new CountDownLatch(1);
            pool.execute(() -> {
                threads.add(Thread.currentThread());
                interrupted.add(Thread.currentThread().isInterrupted());
                Thread.currentThread().interrupt();
                done.countDown();
            });
            await(done);
        }
        assertThat(interrupted).containsExactly(false);
        assertThat(threads).hasSizeLessThan(200);
    }

    @Test
    void taskThatThrowsHarmsNoOther() {
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(10);
        pool.execute(() -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, problem) -> told.countDown());
            throw new IllegalStateException("on purpose");
        });
        for (int i = 0; i < 10; i++) {
            pool.execute(done::countDown);
        }
        await(told);
        await(done);
    }

    @Test
    void closedPoolRefusesTasksAndFinishesTheAcceptedOnes() {
        CountDownLatch go = new CountDownLatch(1);
        CountDownLatch done = new CountDownLatch(50);
        for (int i = 0; i < 50; i++) {
            pool.execute(() -> {
                await(go);
                done.countDown();
            });
        }
        pool.close();
        assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        go.countDown();
        await(done);
    }

    @Test
    void threadThatHasNothingToDoEnds() throws Exception {
        JvmCodePool brief = new JvmCodePool(Duration.ofMillis(1), null);
        List<Thread> threads = new ArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        brief.execute(() -> {
            threads.add(Thread.currentThread());
            done.countDown();
        });
        await(done);
        threads.get(0).join(30_000);
        assertThat(threads.get(0).isAlive()).isFalse();
        CountDownLatch again = new CountDownLatch(1);
        brief.execute(again::countDown);
        await(again);
    }
}
