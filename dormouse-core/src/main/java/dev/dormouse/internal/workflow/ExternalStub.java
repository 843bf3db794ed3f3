package dev.dormouse.internal.workflow;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * A stub for another workflow, which this run has not started: a call of a signal method sends it a signal. Used only
 * by the coroutines of one run, one at a time.
 */
final class ExternalStub implements InvocationHandler {
    private final RunContext context;
    private final Class<?> type;
    private final String workflowId;
    private final WorkflowMethods methods;

    private ExternalStub(RunContext context, Class<?> type, String workflowId) {
        this.context = context;
        this.type = type;
        this.workflowId = workflowId;
        this.methods = WorkflowMethods.of(type);
    }

    static <W> W of(RunContext context, Class<W> type, String workflowId) {
        InvocationHandler stub = new ExternalStub(context, type, workflowId);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, stub));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method called, @Nullable Object @Nullable [] arguments) {
        Method method = methods.meant(called);
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "stub of workflow " + type.getName() + " for workflow id '" + workflowId + "'";
            };
        }
        String signal = methods.nameOfSignal(method);
        if (signal == null) {
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected a call of a signal method of " + type.getName()
                            + " on the stub of another workflow, but got " + method.getName()
                            + ". Start workflows with Workflow.child(…); queries and updates can only be called from "
                            + "outside of workflow code.");
        }
        context.signal(workflowId, signal, arguments == null ? new Object[0] : arguments, methods.parameters(method));
        return null;
    }
}
