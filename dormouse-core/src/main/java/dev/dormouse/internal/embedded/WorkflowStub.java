package dev.dormouse.internal.embedded;

import dev.dormouse.StartOptions;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.client.RunCalls;
import dev.dormouse.internal.value.Arguments;
import dev.dormouse.internal.value.Generics;
import dev.dormouse.internal.workflow.WorkflowMethods;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A stub for a workflow id. Inside {@link #capture} a call only records the workflow to start or the signal to send.
 * Otherwise it starts the workflow and waits, or sends a signal, query or update to the run.
 *
 * <p>Thread-safe: all fields are final, and the current capture is thread-local, so a capture sees only calls on its
 * own thread.
 */
final class WorkflowStub implements InvocationHandler {
    private static final ThreadLocal<@Nullable Capture> CAPTURE = new ThreadLocal<>();

    private final EmbeddedDormouse dormouse;
    private final Class<?> type;
    private final String workflowId;
    private final StartOptions options;
    private final WorkflowMethods methods;

    /** A call of a workflow method: the workflow to start. */
    record Call(
            String type,
            String workflowId,
            StartOptions options,
            Method method,
            List<Type> parameters,
            Type result,
            @Nullable Object[] arguments) {}

    /** A call of a signal method: the signal to send. */
    record SignalCall(
            String type,
            String workflowId,
            String name,
            List<Type> parameters,
            @Nullable Object[] arguments) {}

    /** A call of an update method: the update to send. */
    record UpdateCall(
            String type,
            String workflowId,
            String name,
            Type result,
            List<Type> parameters,
            @Nullable Object[] arguments) {}

    /** The kind of method whose call is captured. */
    private enum Wanted {
        WORKFLOW,
        SIGNAL,
        UPDATE
    }

    private static final class Capture {
        final Wanted wanted;

        @Nullable
        Call call;

        @Nullable
        SignalCall signal;

        @Nullable
        UpdateCall update;

        Capture(Wanted wanted) {
            this.wanted = wanted;
        }
    }

    private WorkflowStub(
            EmbeddedDormouse dormouse,
            Class<?> type,
            WorkflowMethods methods,
            String workflowId,
            StartOptions options) {
        this.dormouse = dormouse;
        this.type = type;
        this.workflowId = workflowId;
        this.options = options;
        this.methods = methods;
    }

    static <W> W of(
            EmbeddedDormouse dormouse,
            Class<W> type,
            WorkflowMethods methods,
            String workflowId,
            StartOptions options) {
        InvocationHandler stub = new WorkflowStub(dormouse, type, methods, workflowId, options);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, stub));
    }

    static Call capture(Supplier<?> stubCall) {
        return capture(calling(stubCall));
    }

    @SuppressWarnings("ReturnValueIgnored") // the return value of a captured stub call is meaningless
    static Runnable calling(Supplier<?> stubCall) {
        return Arguments.required(stubCall, "a call of a stub")::get;
    }

    /**
     * Returns the one call of a workflow method that {@code stubCall} makes. Throws BAD_STUB_CALL if it makes none or
     * several.
     */
    static Call capture(Runnable stubCall) {
        Capture capture = capture(stubCall, Wanted.WORKFLOW);
        if (capture.call == null) {
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected start(…) to get a call of a workflow method on a stub, but there was none. "
                            + "Write dormouse.start(() -> stub.method(…)) with a stub from dormouse.workflow(…).");
        }
        return capture.call;
    }

    /**
     * Returns the one call of a signal method that {@code stubCall} makes. Throws BAD_STUB_CALL if it makes none or
     * several.
     */
    static SignalCall captureSignal(Runnable stubCall) {
        Capture capture = capture(stubCall, Wanted.SIGNAL);
        if (capture.signal == null) {
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected a call of a signal method on a stub, but there was none. Write "
                            + "dormouse.signalWithStart(() -> stub.run(…), () -> stub.signal(…)).");
        }
        return capture.signal;
    }

    /**
     * Returns the one call of an update method that {@code stubCall} makes. Throws BAD_STUB_CALL if it makes none or
     * several.
     */
    static UpdateCall captureUpdate(Runnable stubCall) {
        Capture capture = capture(stubCall, Wanted.UPDATE);
        if (capture.update == null) {
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected a call of an update method on a stub, but there was none. Write "
                            + "dormouse.updateWithStart(() -> stub.run(…), () -> stub.update(…)).");
        }
        return capture.update;
    }

    private static Capture capture(Runnable stubCall, Wanted wanted) {
        Arguments.required(stubCall, "a call of a stub");
        Capture capture = new Capture(wanted);
        CAPTURE.set(capture);
        try {
            stubCall.run();
        } finally {
            CAPTURE.remove();
        }
        return capture;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method called, @Nullable Object @Nullable [] arguments) {
        Method method = methods.meant(called);
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments);
        }
        @Nullable Object[] values = arguments == null ? new Object[0] : arguments;
        Capture capture = CAPTURE.get();
        if (method.equals(methods.workflow())) {
            Call call = new Call(
                    methods.name(),
                    workflowId,
                    options,
                    method,
                    methods.parameters(method),
                    methods.result(method),
                    values);
            return capture == null ? dormouse.call(call) : capture(capture, call);
        } else if (capture != null && capture.wanted == Wanted.WORKFLOW) {
            throw unexpected(method, "the workflow method " + methods.nameOfWorkflow());
        } else if (capture != null) {
            return capture(capture, method, values);
        }
        return send(method, values);
    }

    /** Records a call of a signal or update method. */
    private @Nullable Object capture(Capture capture, Method method, @Nullable Object[] values) {
        boolean isSignal = capture.wanted == Wanted.SIGNAL;
        String name = isSignal ? methods.nameOfSignal(method) : methods.nameOfUpdate(method);
        if (name == null) {
            throw unexpected(method, isSignal ? "a signal method" : "an update method");
        } else if (capture.signal != null || capture.update != null) {
            String what = isSignal ? "signal" : "update";
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected one call of " + (isSignal ? "a" : "an") + " " + what
                            + " method, but got a second one, of " + method.getName() + ". Send one " + what
                            + " with the start.");
        }
        List<Type> types = methods.parameters(method);
        if (isSignal) {
            capture.signal = new SignalCall(methods.name(), workflowId, name, types, values);
        } else {
            capture.update = new UpdateCall(methods.name(), workflowId, name, methods.result(method), types, values);
        }
        return Generics.nothing(method.getReturnType());
    }

    /** Handles a call of a method that is not the workflow method: a signal, a query or an update. */
    private @Nullable Object send(Method method, @Nullable Object[] values) {
        String signal = methods.nameOfSignal(method);
        String query = methods.nameOfQuery(method);
        String update = methods.nameOfUpdate(method);
        List<Type> types = methods.parameters(method);
        RunCalls calls = dormouse.calls();
        if (signal != null) {
            calls.signal(methods.name(), workflowId, UUID.randomUUID().toString(), signal, values, types);
        } else if (query != null) {
            UUID runId = calls.latest("a query method of a stub", workflowId).runId();
            return calls.query(methods.name(), workflowId, runId, query, methods.result(method), values, types);
        } else if (update != null) {
            String id = UUID.randomUUID().toString();
            return calls.update(
                    methods.name(),
                    workflowId,
                    id,
                    RunCalls.UPDATE_TIME,
                    update,
                    methods.result(method),
                    values,
                    types);
        } else {
            throw unexpected(method, "a method with a Dormouse annotation");
        }
        return null;
    }

    private static @Nullable Object capture(Capture capture, Call call) {
        if (capture.call != null || capture.wanted != Wanted.WORKFLOW) {
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected start(…) to get one call of a workflow method, but got a second one, of "
                            + call.method().getName() + ". Start one workflow at a time.");
        }
        capture.call = call;
        return Generics.nothing(call.method().getReturnType());
    }

    private static DormouseException unexpected(Method method, String expected) {
        return new DormouseException(
                ErrorCode.BAD_STUB_CALL,
                "Expected a call of " + expected + ", but got " + method.getName()
                        + ". Only methods with a Dormouse annotation can be called.");
    }

    private Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "stub of " + type.getName() + " for workflow id '" + workflowId + "'";
        };
    }
}
