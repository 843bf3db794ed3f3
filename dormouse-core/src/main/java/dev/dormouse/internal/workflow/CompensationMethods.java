package dev.dormouse.internal.workflow;

import dev.dormouse.Compensate;
import dev.dormouse.codec.Payload;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.value.Generics;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The {@link Compensate} methods of an activity interface, by the names of the activities that they undo. Thread-safe:
 * immutable after construction, and cached per interface.
 */
final class CompensationMethods {
    private static final ClassValue<CompensationMethods> KNOWN = new ClassValue<>() {
        @Override
        protected CompensationMethods computeValue(Class<?> type) {
            return new CompensationMethods(type);
        }
    };

    private final Class<?> type;
    private final Generics generics;
    private final ActivityMethods names;
    private final Map<List<Object>, Method> byActivity = new HashMap<>();

    private CompensationMethods(Class<?> type) {
        this.type = type;
        this.generics = Generics.of(type);
        this.names = ActivityMethods.of(type);
        Collection<Method> methods = methods(type);
        methods.stream()
                .filter(CompensationMethods::isCompensation)
                .forEach(compensation -> add(compensation, activity(compensation, methods)));
    }

    /** Returns the compensations of an interface. Throws BAD_ACTIVITY_INTERFACE if one is invalid. */
    static CompensationMethods of(Class<?> type) {
        return KNOWN.get(type);
    }

    /** Throws BAD_ACTIVITY_INTERFACE if the {@code @Compensate} methods of an interface are invalid. */
    static void check(Class<?> type) {
        of(type);
    }

    /** Returns the method that undoes this activity; null if there is none. */
    @Nullable
    Method of(Method activity) {
        return byActivity.get(ActivityMethods.signature(activity));
    }

    /** Returns true if a compensation also undoes calls that failed or were interrupted. */
    static boolean isEvenIfFailed(Method compensation) {
        return compensation.getAnnotation(Compensate.class).evenIfFailed();
    }

    /** Returns the arguments of a compensation, taken from the activity's input and result. */
    static List<Payload> arguments(Method compensation, List<Payload> input, Supplier<Payload> result) {
        int wanted = compensation.getParameterCount();
        List<Payload> arguments = new ArrayList<>(wanted == 0 ? List.of() : input);
        if (wanted > input.size()) {
            arguments.add(result.get());
        }
        return arguments;
    }

    /** Returns each signature once, even if several interfaces declare it. */
    private static Collection<Method> methods(Class<?> type) {
        Map<List<Object>, Method> methods = new LinkedHashMap<>();
        for (Method method : type.getMethods()) {
            if (!method.isBridge()) {
                methods.merge(
                        ActivityMethods.signature(method), method, (one, other) -> isCompensation(one) ? one : other);
            }
        }
        return methods.values();
    }

    private static boolean isCompensation(Method method) {
        return method.isAnnotationPresent(Compensate.class);
    }

    private Method activity(Method compensation, Collection<Method> methods) {
        String name = compensation.getAnnotation(Compensate.class).forActivity();
        List<Method> found = methods.stream()
                .filter(method -> names.name(method).equals(name))
                .toList();
        if (found.isEmpty()) {
            throw bad(compensation, "to name an activity of the interface", "there is none named '" + name + "'");
        } else if (found.size() > 1) {
            throw bad(
                    compensation,
                    "to name one activity",
                    "there are " + found.size() + " named '" + name + "': give them different names");
        }
        return found.get(0);
    }

    private void add(Method compensation, Method activity) {
        String name = names.name(activity);
        if (isCompensation(activity)) {
            throw bad(compensation, "to undo an activity", "'" + name + "' is a compensation itself");
        } else if (Modifier.isStatic(activity.getModifiers()) || Modifier.isStatic(compensation.getModifiers())) {
            throw bad(compensation, "and '" + name + "' to be activities", "a static method is not an activity");
        } else if (!fits(compensation, activity)) {
            throw bad(
                    compensation,
                    "to have no parameters, or those of '" + name + "', or those and its result"
                            + (isEvenIfFailed(compensation) ? ", which can be null" : ""),
                    "it has " + types(compensation) + ", and '" + name + "' " + types(activity) + " and returns "
                            + activity.getGenericReturnType().getTypeName());
        }
        Method other = byActivity.put(ActivityMethods.signature(activity), compensation);
        if (other != null) {
            throw bad(compensation, "to be the only one for '" + name + "'", other.getName() + " also undoes it");
        }
        compensation.setAccessible(true);
    }

    private boolean fits(Method compensation, Method activity) {
        List<Type> got = resolved(compensation.getGenericParameterTypes());
        List<Type> known = resolved(activity.getGenericParameterTypes());
        if (got.isEmpty() || got.equals(known)) {
            return true;
        } else if (activity.getReturnType() == void.class) {
            return false;
        }
        List<Type> withResult = new ArrayList<>(known);
        Type result = generics.resolve(activity.getGenericReturnType());
        withResult.add(isEvenIfFailed(compensation) ? boxed(result) : result);
        return got.equals(withResult);
    }

    /** Returns the type as which a result that may be missing is passed. */
    private static Type boxed(Type result) {
        return result instanceof Class<?> known
                ? MethodType.methodType(known).wrap().returnType()
                : result;
    }

    private List<Type> resolved(Type[] types) {
        return Arrays.stream(types).map(generics::resolve).toList();
    }

    private static List<String> types(Method method) {
        return Arrays.stream(method.getGenericParameterTypes())
                .map(Type::getTypeName)
                .toList();
    }

    private DormouseException bad(Method compensation, String expected, String found) {
        return new DormouseException(
                ErrorCode.BAD_ACTIVITY_INTERFACE,
                "Expected @Compensate method " + type.getName() + "." + compensation.getName() + " " + expected
                        + ", but " + found + ". Change the interface.");
    }
}
