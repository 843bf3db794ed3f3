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
    private final RunContext context;
    private final Payloads payloads;
    private final Object implementation;
    private final CompensationMethods compensations;

    private ActivityStub(
            Class<?> type, ActivityOptions options, RunContext context, Payloads payloads, Object implementation) {
        this.type = type;
        this.options = options;
        this.context = context;
        this.payloads = payloads;
        this.implementation = implementation;
        this.compensations = CompensationMethods.of(type);
    }

    static <A> A of(
            Class<A> type, ActivityOptions options, RunContext context, Payloads payloads, Object implementation) {
        InvocationHandler stub = new ActivityStub(type, options, context, payloads, implementation);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, stub));
    }

    static void check(Class<?> type) {
        if (!type.isInterface()) {
            throw new DormouseException(
                    ErrorCode.BAD_ACTIVITY_INTERFACE,
                    "Expected activities to be described by an interface, but " + type.getName()
                            + " is a class. Extract an interface.");
        }
        CompensationMethods.check(type);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        if (method.getDeclaringClass() == Object.class) {
            return ofObject(proxy, method, arguments);
        }
        method.setAccessible(true);
        List<Payload> input = payloads.encodeAll(arguments);
        Method undo = compensations.of(method);
        return undo == null ? step(method, input) : step(method, input, undo);
    }

    private @Nullable Object step(Method method, List<Payload> input) {
        return context.steps()
                .step(name(method), method.getGenericReturnType(), options, attempt -> call(method, input));
    }

    private @Nullable Object step(Method method, List<Payload> input, Method undo) {
        return context.compensations().call(name(undo), () -> step(method, input), result -> {
            List<Payload> arguments = CompensationMethods.arguments(undo, input, () -> payloads.encode(result));
            return () -> step(undo, arguments);
        });
    }

    private String name(Method method) {
        return type.getSimpleName() + "." + method.getName();
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
