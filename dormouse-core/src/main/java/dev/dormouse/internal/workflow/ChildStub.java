package dev.dormouse.internal.workflow;

import dev.dormouse.ChildOptions;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.replay.Replay;
import dev.dormouse.internal.value.Generics;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * A stub for a child workflow. A call of its workflow method starts the child and waits for its result; a call of a
 * signal method sends it a signal. Used only by the coroutines of one run, one at a time.
 */
final class ChildStub implements InvocationHandler {
    private static final ThreadLocal<@Nullable Capture> CAPTURE = new ThreadLocal<>();

    private final RunContext context;
    private final Class<?> type;
    private final String workflowId;
    private final ChildOptions options;
    private final WorkflowMethods methods;

    private ChildStub(RunContext context, Class<?> type, String workflowId, ChildOptions options) {
        this.context = context;
        this.type = type;
        this.workflowId = workflowId;
        this.options = options;
        this.methods = WorkflowMethods.of(type);
    }

    static <W> W of(RunContext context, Class<W> type, String workflowId, ChildOptions options) {
        InvocationHandler stub = new ChildStub(context, type, workflowId, options);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, stub));
    }

    /** The child that a call of {@code Workflow.startChild} has started; null before that. */
    private static final class Capture {
        @Nullable
        RunChild<?> child;
    }

    /**
     * Returns the child that {@code stubCall} starts by one call of a workflow method, without waiting for its result.
     *
     * @throws DormouseException BAD_STUB_CALL if it makes none or several
     */
    static RunChild<?> capture(Replay run, Runnable stubCall) {
        run.checkMayAct("startChild");
        Capture capture = new Capture();
        CAPTURE.set(capture);
        try {
            stubCall.run();
        } finally {
            CAPTURE.remove();
        }
        if (capture.child == null) {
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected startChild(…) to get a call of a workflow method on the stub of a child, but there was "
                            + "none. Write Workflow.startChild(() -> stub.method(…)) with a stub from "
                            + "Workflow.child(…).");
        }
        return capture.child;
    }

    private @Nullable Object start(Method method, @Nullable Object[] values) {
        Capture capture = CAPTURE.get();
        if (capture == null) {
            return context.child(options, methods, method, workflowId, values, false)
                    .get();
        } else if (capture.child != null) {
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected startChild(…) to get one call of a workflow method, but got a second one, of "
                            + method.getName() + ". Start one child at a time.");
        }
        capture.child = context.child(options, methods, method, workflowId, values, true);
        return Generics.nothing(method.getReturnType());
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method called, @Nullable Object @Nullable [] arguments) {
        Method method = methods.meant(called);
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "stub of child " + type.getName() + " for workflow id '" + workflowId + "'";
            };
        }
        @Nullable Object[] values = arguments == null ? new Object[0] : arguments;
        if (method.equals(methods.workflow())) {
            return start(method, values);
        }
        String signal = methods.nameOfSignal(method);
        if (signal != null) {
            context.signal(workflowId, signal, values, methods.parameters(method));
            return null;
        }
        throw new DormouseException(
                ErrorCode.BAD_STUB_CALL,
                "Expected a call of the workflow method or a signal of " + type.getName()
                        + " on the stub of a child, but got " + method.getName()
                        + ". Queries and updates can only be called from outside of workflow code.");
    }
}
