package dev.dormouse.internal.workflow;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/**
 * A stub whose workflow method continues this run as a new one, with the arguments of the call. Used only by the
 * coroutines of one run, one at a time.
 */
final class ContinueStub implements InvocationHandler {
    private final RunContext context;
    private final Class<?> type;
    private final WorkflowMethods methods;

    private ContinueStub(RunContext context, Class<?> type) {
        this.context = context;
        this.type = type;
        this.methods = WorkflowMethods.of(type);
    }

    static <W> W of(RunContext context, Class<W> type) {
        InvocationHandler stub = new ContinueStub(context, type);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, stub));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method called, @Nullable Object @Nullable [] arguments) {
        Method method = methods.meant(called);
        if (method.getDeclaringClass() == Object.class) {
            return switch (method.getName()) {
                case "equals" -> arguments != null && proxy == arguments[0];
                case "hashCode" -> System.identityHashCode(proxy);
                default -> "stub of " + type.getName() + " to continue as new";
            };
        } else if (!method.equals(methods.workflow())) {
            throw new DormouseException(
                    ErrorCode.BAD_STUB_CALL,
                    "Expected a call of the workflow method of " + type.getName()
                            + " on a stub to continue as new, but got " + method.getName() + ".");
        }
        throw context.continueAsNew(
                methods.name(), methods.parameters(method), arguments == null ? new Object[0] : arguments);
    }
}
