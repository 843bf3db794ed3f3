package dev.dormouse;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A stub for a workflow id. Within {@link #capture} a call only tells what is to be started; otherwise it starts and
 * waits.
 */
final class WorkflowStub implements InvocationHandler {
    private static final ThreadLocal<@Nullable Capture> CAPTURE = new ThreadLocal<>();

    private final EmbeddedDormouse dormouse;
    private final Class<?> type;
    private final String workflowId;
    private final StartOptions options;
    private final Method workflowMethod;

    /** A call of a workflow method: what is to be started. */
    record Call(
            String type,
            String workflowId,
            StartOptions options,
            Method method,
            @Nullable Object[] arguments) {}

    private static final class Capture {
        @Nullable
        Call call;
    }

    private WorkflowStub(EmbeddedDormouse dormouse, Class<?> type, String workflowId, StartOptions options) {
        this.dormouse = dormouse;
        this.type = type;
        this.workflowId = workflowId;
        this.options = options;
        this.workflowMethod = WorkflowDefinition.workflowMethod(type);
    }

    static <W> W of(EmbeddedDormouse dormouse, Class<W> type, String workflowId, StartOptions options) {
        InvocationHandler stub = new WorkflowStub(dormouse, type, workflowId, options);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, stub));
    }

    @SuppressWarnings("ReturnValueIgnored") // what a stub returns while it is captured means nothing
    static Call capture(Supplier<?> stubCall) {
        return capture((Runnable) stubCall::get);
    }

    /** The one call of a workflow method that this makes. */
    static Call capture(Runnable stubCall) {
        Capture capture = new Capture();
        CAPTURE.set(capture);
        try {
            stubCall.run();
        } finally {
            CAPTURE.remove();
        }
        if (capture.call == null) {
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected start(…) to get a call of a workflow method on a stub, but there was none. "
                            + "Write dormouse.start(() -> stub.method(…)) with a stub from dormouse.workflow(…).");
        }
        return capture.call;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments);
        }
        if (!method.equals(workflowMethod)) {
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected a call of the workflow method " + workflowMethod.getName() + ", but got "
                            + method.getName() + ". Only methods with an annotation of Dormouse can be called.");
        }
        @Nullable Object[] values = arguments == null ? new Object[0] : arguments;
        Call call = new Call(WorkflowDefinition.nameOf(type), workflowId, options, method, values);
        Capture capture = CAPTURE.get();
        if (capture == null) {
            return dormouse.start(call).result();
        }
        if (capture.call != null) {
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected start(…) to get one call of a workflow method, but got a second one, of "
                            + method.getName() + ". Start one workflow at a time.");
        }
        capture.call = call;
        return nothing(method.getReturnType());
    }

    private Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "stub of " + type.getName() + " for workflow id '" + workflowId + "'";
        };
    }

    /** Something that can be returned as this type. */
    private static @Nullable Object nothing(Class<?> returned) {
        if (!returned.isPrimitive() || returned == void.class) {
            return null;
        }
        return java.lang.reflect.Array.get(java.lang.reflect.Array.newInstance(returned, 1), 0);
    }
}
