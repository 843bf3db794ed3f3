package dev.dormouse.dag.run;

import dev.dormouse.CancellationScope;
import dev.dormouse.Workflow;
import dev.dormouse.dag.model.Step;
import dev.dormouse.error.CancelledException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The items of a map step, processed with limited parallelism. When one fails, those in progress are cancelled and no
 * other begins. Confined to the run's coroutines.
 */
final class MapItems {
    private final List<?> items;
    private final int parallelism;
    private final @Nullable Duration timeout;
    private final Work work;
    private final @Nullable Object[] results;
    private int next;
    private int working;
    private boolean tooLate;
    private @Nullable RuntimeException failure;

    /** The work on one item. */
    interface Work {
        @Nullable
        Object on(int index, @Nullable Object item);
    }

    MapItems(List<?> items, int parallelism, @Nullable Duration timeout, Work work) {
        this.items = items;
        this.parallelism = parallelism;
        this.timeout = timeout;
        this.work = work;
        this.results = new Object[items.size()];
    }

    /** Processes all items. Returns their results in order. */
    @Nullable
    Object all(Step step) {
        CancellationScope scope = Workflow.newCancellationScope(this::processAll);
        scope.run();
        if (tooLate || failure != null) {
            scope.cancel("step '" + step.id() + "' has failed");
            Workflow.await(() -> working == 0);
        }
        if (failure != null) {
            throw failure;
        } else if (tooLate && timeout != null) {
            throw WorkSteps.timedOut(step, timeout);
        }
        return Arrays.asList(results);
    }

    private void processAll() {
        working = Math.min(parallelism, items.size());
        for (int i = 0; i < working; i++) {
            Workflow.async(this::work);
        }
        if (timeout == null) {
            Workflow.await(() -> working == 0 || failure != null);
        } else {
            tooLate = !Workflow.await(timeout, () -> working == 0 || failure != null);
        }
    }

    private @Nullable Void work() {
        try {
            while (next < items.size() && failure == null) {
                int index = next++;
                results[index] = work.on(index, items.get(index));
            }
        } catch (CancelledException cancelled) {
            throw cancelled;
        } catch (RuntimeException problem) {
            failure = failure == null ? problem : failure;
        } finally {
            working--;
        }
        return null;
    }
}
