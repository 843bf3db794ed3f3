package dev.dormouse;

import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A stub whose calls are steps of the workflow that made it. */
final class ActivityStub implements InvocationHandler {
    private final Class<?> type;
    private final ActivityOptions options;
    private final RunSteps steps;
    private final Payloads payloads;
    private final Object implementation;

    private ActivityStub(
            Class<?> type, ActivityOptions options, RunSteps steps, Payloads payloads, Object implementation) {
        this.type = type;
        this.options = options;
        this.steps = steps;
        this.payloads = payloads;
        this.implementation = implementation;
    }

    static <A> A of(Class<A> type, ActivityOptions options, RunSteps steps, Payloads payloads, Object implementation) {
        InvocationHandler stub = new ActivityStub(type, options, steps, payloads, implementation);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, stub));
    }

    static void check(Class<?> type) {
        if (!type.isInterface()) {
            throw new DormouseException(
                    ErrorCode.BAD_ACTIVITY_INTERFACE,
                    "Expected activities to be described by an interface, but " + type.getName()
                            + " is a class. Extract an interface.");
        }
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments);
        }
        method.setAccessible(true);
        List<Payload> input = payloads.encodeAll(arguments);
        String name = type.getSimpleName() + "." + method.getName();
        return steps.step(name, method.getGenericReturnType(), options, attempt -> call(method, input));
    }

    private @Nullable Object call(Method method, List<Payload> input) throws Exception {
        return WorkflowDefinition.invoke(
                method, implementation, payloads.decodeAll(input, List.of(method.getGenericParameterTypes())));
    }

    private Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "stub of " + type.getName();
        };
    }
}
