package dev.dormouse.internal.workflow;

import dev.dormouse.ChildHandle;
import dev.dormouse.Promise;
import dev.dormouse.internal.replay.PendingChild;
import dev.dormouse.internal.replay.Replay;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A child of a run. Not thread-safe: belongs to the run's coroutines, which execute one at a time. */
final class RunChild<R extends @Nullable Object> extends RunPromise<R> implements ChildHandle<R> {
    private final RunContext context;
    private final String workflowId;
    private final Promise<UUID> started;

    /**
     * Creates a handle.
     *
     * @param child the child, with all its attempts
     * @param started returns the run of the first attempt, or throws if the child was not started
     */
    RunChild(
            Replay run,
            RunContext context,
            String workflowId,
            PendingChild child,
            Supplier<UUID> started,
            Supplier<R> result) {
        super(run, child::isOver, result, () -> child.cancel("its parent does not wait for it any more"));
        this.context = context;
        this.workflowId = workflowId;
        this.started = new RunPromise<>(run, child::isStarted, started, () -> {});
    }

    @Override
    public String workflowId() {
        return workflowId;
    }

    @Override
    public Promise<UUID> started() {
        return started;
    }

    @Override
    public void signal(String name, @Nullable Object... arguments) {
        context.signal(workflowId, name, arguments);
    }
}
