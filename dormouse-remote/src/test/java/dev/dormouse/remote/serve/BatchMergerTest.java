package dev.dormouse.remote.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.store.base.StoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BatchMergerTest {
    /** Of entries like {@code k:1}, the part before the colon is the key, and a digit before it the lease period. */
    private static final class Entries implements BatchMerger.Kind<String, String> {
        final List<List<String>> sent = Collections.synchronizedList(new ArrayList<>());
        final Semaphore begun = new Semaphore(0);
        final Semaphore mayEnd = new Semaphore(0);

        @Override
        public List<String> send(List<String> batch) {
            sent.add(List.copyOf(batch));
            begun.release();
            mayEnd.acquireUninterruptibly();
            if (batch.stream().anyMatch(entry -> entry.startsWith("bad"))) {
                throw new IllegalStateException("a bad entry");
            }
            return batch.stream().map(entry -> entry + " applied").toList();
        }

        @Override
        public List<Object> keys(String entry) {
            return List.of(entry.substring(0, entry.indexOf(':')));
        }

        @Override
        public int bytes(String entry) {
            return entry.length();
        }

        @Override
        public String failed(Throwable problem) {
            return problem instanceof StoreException store ? store.code().name() : "failed";
        }

        @Override
        public boolean fit(String first, String other) {
            return first.endsWith("!") == other.endsWith("!");
        }
    }

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Entries entries = new Entries();
    private BatchMerger<String, String> merger = with(1, 100, 1_000);

    @AfterEach
    void endThreads() throws InterruptedException {
        entries.mayEnd.release(1_000);
        threads.shutdown();
        assertThat(threads.awaitTermination(20, TimeUnit.SECONDS)).isTrue();
    }

    private BatchMerger<String, String> with(int writers, int maxEntries, int maxWaiting) {
        return new BatchMerger<>(
                entries, new BatchMerger.Limits(writers, maxEntries, 1_000_000, maxWaiting, 1_000_000), threads);
    }

    private CompletableFuture<List<String>> submit(String... call) {
        CompletableFuture<List<String>> answer = new CompletableFuture<>();
        merger.submit(List.of(call), () -> false, answer::complete);
        return answer;
    }

    private void awaitBatch() {
        entries.begun.acquireUninterruptibly();
    }

    @Test
    void callsThatArriveDuringABatchShareTheNextOne() throws Exception {
        CompletableFuture<List<String>> first = submit("first:1");
        awaitBatch();
        List<CompletableFuture<List<String>>> others = IntStream.range(0, 20)
                .mapToObj(i -> submit("k" + i + ":1", "l" + i + ":1"))
                .toList();
        entries.mayEnd.release(2);
        assertThat(first.get()).containsExactly("first:1 applied");
        for (int i = 0; i < others.size(); i++) {
            assertThat(others.get(i).get()).containsExactly("k" + i + ":1 applied", "l" + i + ":1 applied");
        }
        assertThat(entries.sent).hasSize(2);
        assertThat(entries.sent.get(1)).hasSize(40);
    }

    @Test
    void singleEntryIsSentAtOnce() throws Exception {
        entries.mayEnd.release();
        assertThat(submit("k:1").get()).containsExactly("k:1 applied");
    }

    @Test
    void entriesWithOneKeyAreNeverInOneBatchNorOnTheirWayTogether() throws Exception {
        merger = with(3, 100, 1_000);
        CompletableFuture<List<String>> first = submit("k:1");
        awaitBatch();
        CompletableFuture<List<String>> second = submit("k:2", "a:1");
        awaitBatch();
        CompletableFuture<List<String>> third = submit("k:3", "b:1");
        awaitBatch();
        assertThat(entries.sent).containsExactly(List.of("k:1"), List.of("a:1"), List.of("b:1"));
        entries.mayEnd.release(10);
        assertThat(first.get()).containsExactly("k:1 applied");
        assertThat(second.get()).containsExactly("k:2 applied", "a:1 applied");
        assertThat(third.get()).containsExactly("k:3 applied", "b:1 applied");
        assertThat(entries.sent)
                .hasSize(5)
                .filteredOn(batch -> batch.contains("k:2"))
                .containsExactly(List.of("k:2"));
    }

    @Test
    void entryThatBreaksTheStoreAffectsNoOther() throws Exception {
        entries.mayEnd.release(100);
        assertThat(submit("a:1", "b:1", "bad:1", "c:1", "d:1").get())
                .containsExactly("a:1 applied", "b:1 applied", "failed", "c:1 applied", "d:1 applied");
    }

    @Test
    void entriesThatDoNotFitAreInBatchesOfTheirOwn() throws Exception {
        CompletableFuture<List<String>> first = submit("k:1");
        awaitBatch();
        CompletableFuture<List<String>> second = submit("a:1", "b:1!", "c:1", "d:1!");
        entries.mayEnd.release(3);
        assertThat(first.get()).hasSize(1);
        assertThat(second.get()).hasSize(4);
        assertThat(entries.sent).containsExactly(List.of("k:1"), List.of("a:1", "c:1"), List.of("b:1!", "d:1!"));
    }

    @Test
    void batchesHaveALargestSize() throws Exception {
        merger = with(1, 2, 1_000);
        entries.mayEnd.release(100);
        assertThat(submit("a:1", "b:1", "c:1", "d:1", "e:1").get()).hasSize(5);
        assertThat(entries.sent).containsExactly(List.of("a:1", "b:1"), List.of("c:1", "d:1"), List.of("e:1"));
    }

    @Test
    void callsAreRefusedWhenTooManyEntriesWait() throws Exception {
        merger = with(1, 100, 3);
        CompletableFuture<List<String>> first = submit("first:1");
        awaitBatch();
        CompletableFuture<List<String>> second = submit("a:1", "b:1", "c:1");
        assertThatThrownBy(() -> submit("d:1"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE));
        entries.mayEnd.release(2);
        assertThat(first.get()).hasSize(1);
        assertThat(second.get()).hasSize(3);
    }

    @Test
    void entriesOfACallerThatHasGoneAreNotSent() throws Exception {
        CompletableFuture<List<String>> first = submit("first:1");
        awaitBatch();
        Queue<List<String>> gone = new ConcurrentLinkedQueue<>();
        merger.submit(List.of("gone:1"), () -> true, gone::add);
        CompletableFuture<List<String>> last = submit("last:1");
        entries.mayEnd.release(2);
        assertThat(first.get()).containsExactly("first:1 applied");
        assertThat(last.get()).containsExactly("last:1 applied");
        assertThat(entries.sent).containsExactly(List.of("first:1"), List.of("last:1"));
        assertThat(gone).containsExactly(List.of("STORE_UNAVAILABLE"));
    }

    @Test
    void closingAnswersWhatWaitsAndLetsTheRestEnd() throws Exception {
        CompletableFuture<List<String>> first = submit("first:1");
        awaitBatch();
        CompletableFuture<List<String>> waiting = submit("a:1");
        merger.close();
        assertThat(waiting.get()).containsExactly("STORE_UNAVAILABLE");
        assertThatThrownBy(() -> submit("b:1")).isInstanceOf(StoreException.class);
        entries.mayEnd.release();
        assertThat(first.get()).containsExactly("first:1 applied");
    }

    @Test
    void callThatCannotBeAnsweredDoesNotStopTheOthers() throws Exception {
        entries.mayEnd.release(100);
        merger.submit(List.of("a:1"), () -> false, outcomes -> {
            throw new IllegalStateException("a caller that cannot be answered");
        });
        assertThat(submit("b:1").get()).containsExactly("b:1 applied");
    }

    @Test
    void emptyCallIsAnsweredAtOnce() {
        assertThat(submit()).isCompletedWithValue(List.of());
    }
}
