package dev.dormouse.internal.workflow;

import dev.dormouse.ActivityOptions;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.value.Generics;
import dev.dormouse.internal.value.Payloads;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A stub whose calls are steps of the workflow that created it. Used only by the coroutines of one run, one at a time.
 */
public final class ActivityStub implements InvocationHandler {
    private final Class<?> type;
    private final ActivityOptions options;
    private final Map<String, ActivityOptions> byName;
    private final ActivityMethods methods;
    private final RunContext context;
    private final Payloads payloads;
    private final Activities activities;
    private final @Nullable Object implementation;
    private final CompensationMethods compensations;
    private final Generics generics;

    private ActivityStub(
            Class<?> type,
            ActivityOptions options,
            Map<String, ActivityOptions> byName,
            RunContext context,
            Payloads payloads,
            Activities activities) {
        this.type = type;
        this.options = options;
        this.byName = byName;
        this.methods = ActivityMethods.of(type);
        this.context = context;
        this.payloads = payloads;
        this.activities = activities;
        this.implementation = activities.here().apply(type);
        this.compensations = CompensationMethods.of(type);
        this.generics = Generics.of(type);
    }

    /**
     * Creates a stub.
     *
     * @param byName the options of some activities, by their names within the interface
     */
    static <A> A of(
            Class<A> type,
            ActivityOptions options,
            Map<String, ActivityOptions> byName,
            RunContext context,
            Payloads payloads,
            Activities activities) {
        ActivityMethods.of(type).check(byName);
        InvocationHandler stub = new ActivityStub(type, options, Map.copyOf(byName), context, payloads, activities);
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, stub));
    }

    public static void check(Class<?> type) {
        if (!type.isInterface()) {
            throw new DormouseException(
                    ErrorCode.BAD_ACTIVITY_INTERFACE,
                    "Expected activities to be described by an interface, but " + type.getName()
                            + " is a class. Extract an interface.");
        }
        ActivityMethods.of(type);
        CompensationMethods.check(type);
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method called, @Nullable Object @Nullable [] arguments) {
        if (called.getDeclaringClass() == Object.class) {
            return ofObject(proxy, called, arguments);
        }
        Method method = generics.meant(called);
        method.setAccessible(true);
        List<Payload> input = payloads.encodeAll(arguments, generics.parameters(method));
        Method undo = compensations.of(method);
        return undo == null ? step(method, input) : step(method, input, undo);
    }

    private @Nullable Object step(Method method, List<Payload> input) {
        Type result = generics.result(method);
        ActivityOptions how = options(method);
        if (context.steps().isAway(name(method), how, implementation == null, isElsewhere(method, how))) {
            return context.steps().away(name(method), name(method), type.getName(), result, how, input);
        }
        if (implementation == null) {
            throw context.steps().unknown(type);
        }
        return context.steps().step(name(method), result, how, attempt -> call(implementation, method, input));
    }

    private ActivityOptions options(Method method) {
        return byName.getOrDefault(methods.name(method), options);
    }

    /** Returns true if other nodes execute the activity, even if none of them is alive. */
    private boolean isElsewhere(Method method, ActivityOptions how) {
        boolean elsewhere = activities.elsewhere().contains(type);
        if ((elsewhere || how.queue().isPresent()) && methods.isOverloaded(methods.name(method))) {
            throw new DormouseException(
                    ErrorCode.BAD_ACTIVITY_INTERFACE,
                    "Expected activities that run on other nodes or in a queue to have unique names, but "
                            + type.getName() + " has several methods '" + method.getName()
                            + "'. Give them different names with @ActivityMethod(name = …).");
        }
        return elsewhere;
    }

    private @Nullable Object step(Method method, List<Payload> input, Method undo) {
        boolean evenIfFailed = CompensationMethods.isEvenIfFailed(undo);
        return context.compensations().call(name(undo), evenIfFailed, () -> step(method, input), result -> {
            List<Payload> arguments = CompensationMethods.arguments(
                    undo, input, () -> payloads.encode(result, resultParameter(method, undo)));
            return () -> step(undo, arguments);
        });
    }

    /** Returns the type as which a compensation receives the result of its activity. */
    private Type resultParameter(Method method, Method undo) {
        List<Type> parameters = generics.parameters(undo);
        return parameters.size() > method.getParameterCount()
                ? parameters.get(parameters.size() - 1)
                : generics.result(method);
    }

    private String name(Method method) {
        return Activities.name(type, method);
    }

    private @Nullable Object call(Object target, Method method, List<Payload> input) throws Exception {
        return WorkflowDefinition.invoke(method, target, payloads.decodeAll(input, generics.parameters(method)));
    }

    private Object ofObject(Object proxy, Method method, @Nullable Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && proxy == arguments[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "stub of " + type.getName();
        };
    }
}
