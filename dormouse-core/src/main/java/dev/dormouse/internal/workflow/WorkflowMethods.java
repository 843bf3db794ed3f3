package dev.dormouse.internal.workflow;

import dev.dormouse.QueryMethod;
import dev.dormouse.SignalMethod;
import dev.dormouse.UpdateMethod;
import dev.dormouse.UpdateValidatorMethod;
import dev.dormouse.WorkflowMethod;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.value.Generics;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The methods of a workflow interface, by name. A workflow function has none. Immutable.
 *
 * @param type the interface; null for a function
 * @param name the name of the workflow type
 * @param validators the validators, by the name of the update that they validate
 * @param generics the type arguments of inherited interfaces; null for a function
 */
public record WorkflowMethods(
        @Nullable Class<?> type,
        String name,
        @Nullable Method workflow,
        Map<String, Method> signals,
        Map<String, Method> queries,
        Map<String, Method> updates,
        Map<String, Method> validators,
        @Nullable Generics generics) {

    static WorkflowMethods none(String name) {
        return new WorkflowMethods(null, name, null, Map.of(), Map.of(), Map.of(), Map.of(), null);
    }

    public static WorkflowMethods of(Class<?> type) {
        Method workflow = WorkflowDefinition.workflowMethod(type);
        WorkflowMethods methods = new WorkflowMethods(
                type,
                WorkflowDefinition.nameOf(type),
                workflow,
                named(type, SignalMethod.class, SignalMethod::name),
                named(type, QueryMethod.class, QueryMethod::name),
                named(type, UpdateMethod.class, UpdateMethod::name),
                named(type, UpdateValidatorMethod.class, UpdateValidatorMethod::update),
                Generics.of(type));
        methods.check(type);
        return methods;
    }

    private static <A extends Annotation> Map<String, Method> named(
            Class<?> type, Class<A> annotation, Function<A, String> nameOf) {
        Map<String, Method> methods = new HashMap<>();
        for (Method method : Generics.methods(type).toList()) {
            A found = method.getAnnotation(annotation);
            if (found != null) {
                method.setAccessible(true);
                String given = nameOf.apply(found);
                Method other = methods.put(given.isEmpty() ? method.getName() : given, method);
                if (other != null) {
                    throw bad(type, "the @" + annotation.getSimpleName() + " methods to have different names", other);
                }
            }
        }
        return methods;
    }

    private void check(Class<?> type) {
        for (Method signal : signals.values()) {
            if (signal.getReturnType() != void.class) {
                throw bad(type, "a @SignalMethod to return nothing (an @UpdateMethod returns something)", signal);
            }
        }
        for (Method query : queries.values()) {
            if (query.getReturnType() == void.class) {
                throw bad(type, "a @QueryMethod to return something", query);
            }
        }
        validators.forEach((update, validator) -> {
            Method validated = updates.get(update);
            if (validated == null || !Arrays.equals(validated.getParameterTypes(), validator.getParameterTypes())) {
                throw bad(type, "a @UpdateValidatorMethod to name an update with the same parameters", validator);
            }
        });
        for (Method method : type.getMethods()) {
            if (annotations(method) > 1) {
                throw bad(type, "at most one Dormouse annotation on a method", method);
            }
        }
    }

    private static long annotations(Method method) {
        return List.of(
                        WorkflowMethod.class,
                        SignalMethod.class,
                        QueryMethod.class,
                        UpdateMethod.class,
                        UpdateValidatorMethod.class)
                .stream()
                .filter(method::isAnnotationPresent)
                .count();
    }

    private static DormouseException bad(Class<?> type, String expected, Method found) {
        return new DormouseException(
                ErrorCode.BAD_WORKFLOW_INTERFACE,
                "Expected " + expected + ", but " + type.getName() + "." + found.getName()
                        + " violates this. Change the interface.");
    }

    /** Returns the name of the interface, or "a function", for messages. */
    public String described() {
        return type == null ? "a function" : type.getName();
    }

    /**
     * Throws BAD_WORKFLOW_INTERFACE if a stub has a different interface that happens to have the same simple name. If
     * one of the two interfaces declares the name, the match is intended.
     */
    public void checkStub(WorkflowMethods stub) {
        if (type == null || stub.type == null || type == stub.type || declaresName() || stub.declaresName()) {
            return;
        }
        throw new DormouseException(
                ErrorCode.BAD_WORKFLOW_INTERFACE,
                "Expected a stub of " + type.getName() + ", which is workflow type '" + name + "' here, but got one of "
                        + stub.type.getName()
                        + ". Rename one of them with @WorkflowMethod(name = …), or declare "
                        + "@WorkflowMethod(name = \"" + name
                        + "\") on the stub's interface if both describe the same workflow.");
    }

    private boolean declaresName() {
        return workflow != null
                && !workflow.getAnnotation(WorkflowMethod.class).name().isEmpty();
    }

    public String nameOfWorkflow() {
        return workflow == null ? name : workflow.getName();
    }

    /** Returns true if a signal or update may change the behavior of the code while it executes a step. */
    boolean takesMail() {
        return !signals.isEmpty() || !updates.isEmpty();
    }

    /** Returns the method that a stub call refers to. */
    public Method meant(Method called) {
        return generics == null ? called : generics.meant(called);
    }

    @Nullable
    public String nameOfSignal(Method method) {
        return nameOf(signals, method);
    }

    @Nullable
    public String nameOfQuery(Method method) {
        return nameOf(queries, method);
    }

    @Nullable
    public String nameOfUpdate(Method method) {
        return nameOf(updates, method);
    }

    private static @Nullable String nameOf(Map<String, Method> methods, Method wanted) {
        for (Map.Entry<String, Method> entry : methods.entrySet()) {
            if (entry.getValue().equals(wanted)) {
                return entry.getKey();
            }
        }
        return null;
    }

    public List<Type> parameters(Method method) {
        return generics == null ? List.of(method.getGenericParameterTypes()) : generics.parameters(method);
    }

    public Type result(Method method) {
        return generics == null ? method.getGenericReturnType() : generics.result(method);
    }
}
