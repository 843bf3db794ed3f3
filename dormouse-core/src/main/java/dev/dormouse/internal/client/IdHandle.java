package dev.dormouse.internal.client;

import dev.dormouse.TimerHandle;
import dev.dormouse.TypeRef;
import dev.dormouse.WorkflowHandle;
import dev.dormouse.internal.value.Arguments;
import dev.dormouse.internal.workflow.RunMail;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a handle that need only the workflow id: signals, updates and timers, which reach the open run of that
 * id. Thread-safe: all fields are final.
 */
abstract class IdHandle<R> implements WorkflowHandle<R>, RunAccess {
    final RunCalls calls;
    final String type;
    final String workflowId;

    /**
     * Creates a handle.
     *
     * @param type the workflow type, whose registered interface checks signals and updates; empty if it is not known
     */
    IdHandle(RunCalls calls, String type, String workflowId) {
        this.calls = calls;
        this.type = type;
        this.workflowId = workflowId;
    }

    @Override
    public final String workflowId() {
        return workflowId;
    }

    @Override
    public final void signal(String name, @Nullable Object... arguments) {
        signalOnce(UUID.randomUUID().toString(), name, arguments);
    }

    @Override
    public final void signalOnce(String key, String name, @Nullable Object... arguments) {
        calls.signal(type, workflowId, key, name, arguments, null);
    }

    @Override
    public final <T> @Nullable T update(String name, TypeRef<T> type, @Nullable Object... arguments) {
        return updateOnce(UUID.randomUUID().toString(), RunCalls.UPDATE_TIME, name, type, arguments);
    }

    @Override
    @SuppressWarnings("unchecked") // the codec returns the requested type, or throws
    public final <T> @Nullable T updateOnce(
            String id, Duration atMost, String name, TypeRef<T> type, @Nullable Object... arguments) {
        Type result = Arguments.required(type, "the type of the answer").type();
        return (T) calls.update(this.type, workflowId, id, atMost, name, result, arguments, null);
    }

    @Override
    @SuppressWarnings("unchecked") // the codec returns the requested type, or throws
    public final <T> CompletableFuture<@Nullable T> updateAsync(
            String name, TypeRef<T> type, @Nullable Object... arguments) {
        Type result = Arguments.required(type, "the type of the answer").type();
        return (CompletableFuture<@Nullable T>) calls.updateAsync(this.type, workflowId, name, result, arguments);
    }

    @Override
    public final TimerHandle timer(String name) {
        return (instant, reason) -> update(RunMail.MOVE_TIMER, Void.class, name, instant, reason);
    }
}
