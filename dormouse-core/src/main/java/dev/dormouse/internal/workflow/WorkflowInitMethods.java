package dev.dormouse.internal.workflow;

import dev.dormouse.WorkflowInit;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The {@link WorkflowInit} methods of workflow implementations. Thread-safe: looked up once for each class. */
final class WorkflowInitMethods {
    private static final ClassValue<Optional<Method>> FOUND = new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
            return find(type);
        }
    };

    private WorkflowInitMethods() {}

    /** Calls the init method of an implementation, if it has one. */
    static void call(Object target, Method workflow, @Nullable Object[] arguments) throws Exception {
        Optional<Method> init = FOUND.get(target.getClass());
        if (init.isEmpty()) {
            return;
        }
        Method method = init.get();
        if (method.getReturnType() != void.class
                || !Arrays.equals(method.getParameterTypes(), workflow.getParameterTypes())) {
            throw bad(method, "to return nothing and to have the parameters of " + workflow.getName());
        }
        WorkflowDefinition.invoke(method, target, arguments);
    }

    private static Optional<Method> find(Class<?> type) {
        List<Method> found = new ArrayList<>();
        for (Class<?> at = type; at != null; at = at.getSuperclass()) {
            for (Method method : at.getDeclaredMethods()) {
                if (method.isAnnotationPresent(WorkflowInit.class) && !method.isBridge()) {
                    found.add(method);
                }
            }
        }
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Method method = found.get(0);
        if (found.size() > 1) {
            throw bad(method, "to be the only one of its class, but there are " + found.size());
        } else if (Modifier.isStatic(method.getModifiers())) {
            throw bad(method, "not to be static");
        }
        method.setAccessible(true);
        return Optional.of(method);
    }

    private static DormouseException bad(Method method, String expected) {
        return new DormouseException(
                ErrorCode.BAD_WORKFLOW_INTERFACE,
                "Expected the @WorkflowInit method "
                        + method.getDeclaringClass().getName() + "." + method.getName() + " " + expected
                        + ". Change it.");
    }
}
