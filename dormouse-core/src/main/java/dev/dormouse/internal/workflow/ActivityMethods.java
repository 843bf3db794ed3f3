package dev.dormouse.internal.workflow;

import dev.dormouse.ActivityMethod;
import dev.dormouse.ActivityOptions;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.internal.run.Families;
import dev.dormouse.internal.value.Generics;
import dev.dormouse.internal.value.Ids;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The names of the activities of an interface: declared by {@link ActivityMethod}, or else the names of the methods.
 * Thread-safe: immutable after construction, and cached per interface.
 */
final class ActivityMethods {
    private static final ClassValue<ActivityMethods> KNOWN = new ClassValue<>() {
        @Override
        protected ActivityMethods computeValue(Class<?> type) {
            return new ActivityMethods(type);
        }
    };

    private final Class<?> type;
    private final Map<List<Object>, String> declared = new HashMap<>();
    private final Map<String, Set<List<Object>>> bySignature = new HashMap<>();

    private ActivityMethods(Class<?> type) {
        this.type = type;
        collect(type, new HashSet<>());
        Generics.methods(type)
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .forEach(this::add);
    }

    /** Returns the activities of an interface. Throws BAD_ACTIVITY_INTERFACE if a declared name is invalid. */
    static ActivityMethods of(Class<?> type) {
        return KNOWN.get(type);
    }

    /** Returns the name and the parameter types of a method. */
    static List<Object> signature(Method method) {
        return List.of(method.getName(), List.of(method.getParameterTypes()));
    }

    /** Collects declared names. The annotation of an interface precedes those of the interfaces that it extends. */
    private void collect(Class<?> at, Set<Class<?>> seen) {
        if (!seen.add(at)) {
            return;
        }
        for (Method method : at.getDeclaredMethods()) {
            ActivityMethod annotation = method.getAnnotation(ActivityMethod.class);
            if (annotation != null && !method.isBridge()) {
                declared.putIfAbsent(signature(method), checked(method, annotation.name()));
            }
        }
        for (Class<?> parent : at.getInterfaces()) {
            collect(parent, seen);
        }
    }

    private String checked(Method method, String name) {
        if (Modifier.isStatic(method.getModifiers())) {
            throw bad("Expected @ActivityMethod on an activity, but " + type.getName() + "." + method.getName()
                    + " is static. Remove the annotation.");
        }
        if (name.isEmpty() || name.indexOf('.') >= 0 || Families.isMember(name)) {
            throw bad("Expected @ActivityMethod of " + type.getName() + "." + method.getName()
                    + " to declare a name without a dot or colon, but it declares '" + name
                    + "'. Choose another name.");
        }
        return Ids.checkedName("activity", name);
    }

    private void add(Method method) {
        String name = name(method);
        Set<List<Object>> same = bySignature.computeIfAbsent(name, any -> new HashSet<>());
        same.add(signature(method));
        if (same.size() > 1 && same.stream().anyMatch(declared::containsKey)) {
            throw bad("Expected the activities of " + type.getName() + " to have different names, but "
                    + same.size() + " methods have the name '" + name
                    + "'. Change @ActivityMethod(name = …) of one of them.");
        }
    }

    /** Returns the name of an activity within its interface. */
    String name(Method method) {
        return declared.getOrDefault(signature(method), method.getName());
    }

    /** Returns true if several methods have this name, so that the activity cannot be found by its name alone. */
    boolean isOverloaded(String name) {
        return bySignature.getOrDefault(name, Set.of()).size() > 1;
    }

    /** Throws BAD_ARGUMENT if {@code options} has a name that no activity has, or a null. */
    void check(Map<String, ActivityOptions> options) {
        for (Map.Entry<String, ActivityOptions> entry : options.entrySet()) {
            String name = entry.getKey();
            if (name == null || entry.getValue() == null) {
                throw new DormouseException(
                        ErrorCode.BAD_ARGUMENT,
                        "Expected options for activities of " + type.getName()
                                + ", but a name or its options are null. Remove the entry.");
            } else if (!bySignature.containsKey(name)) {
                throw new DormouseException(
                        ErrorCode.BAD_ARGUMENT,
                        "Expected options for activities of " + type.getName() + ", which are "
                                + new TreeSet<>(bySignature.keySet()) + ", but got options for '" + name + "'."
                                + hint(name));
            }
        }
    }

    private String hint(String method) {
        @Nullable
        String renamed = declared.entrySet().stream()
                .filter(one -> one.getKey().get(0).equals(method))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(null);
        return renamed == null
                ? " Correct the name."
                : " The method " + method + " declares the name '" + renamed + "': use that.";
    }

    private static DormouseException bad(String message) {
        return new DormouseException(ErrorCode.BAD_ACTIVITY_INTERFACE, message);
    }
}
