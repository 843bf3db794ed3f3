package dev.dormouse.internal.value;

import java.lang.reflect.Array;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The type arguments that an interface gives to the type variables of the interfaces that it extends. Thread-safe:
 * immutable after construction, and cached per interface.
 */
public final class Generics {
    private static final ClassValue<Generics> KNOWN = new ClassValue<>() {
        @Override
        protected Generics computeValue(Class<?> type) {
            return new Generics(type);
        }
    };

    private final Class<?> type;
    private final Map<TypeVariable<?>, Type> meaning = new HashMap<>();

    private Generics(Class<?> type) {
        this.type = type;
        note(type);
    }

    public static Generics of(Class<?> type) {
        return KNOWN.get(type);
    }

    /** Returns the parameter types of a method, with type variables resolved for this interface. */
    public List<Type> parameters(Method method) {
        return resolve(method.getGenericParameterTypes());
    }

    /** Returns the result type of a method, with type variables resolved for this interface. */
    public Type result(Method method) {
        return resolve(method.getGenericReturnType());
    }

    /** Returns the methods of an interface without the bridge methods that the compiler added. */
    public static Stream<Method> methods(Class<?> type) {
        return Arrays.stream(type.getMethods()).filter(method -> !method.isBridge());
    }

    /** Returns the called method; for a bridge method that the compiler added, the method that it forwards to. */
    public Method meant(Method called) {
        return called.isBridge()
                ? methods(type)
                        .filter(method -> method.getName().equals(called.getName()) && fits(called, method))
                        .findFirst()
                        .orElse(called)
                : called;
    }

    private static boolean fits(Method bridge, Method method) {
        Class<?>[] wide = bridge.getParameterTypes();
        Class<?>[] narrow = method.getParameterTypes();
        return wide.length == narrow.length
                && IntStream.range(0, wide.length).allMatch(i -> wide[i].isAssignableFrom(narrow[i]));
    }

    private void note(Class<?> parents) {
        for (Type parent : parents.getGenericInterfaces()) {
            if (parent instanceof ParameterizedType generic && generic.getRawType() instanceof Class<?> raw) {
                TypeVariable<?>[] variables = raw.getTypeParameters();
                for (int i = 0; i < variables.length; i++) {
                    meaning.put(variables[i], resolve(generic.getActualTypeArguments()[i]));
                }
                note(raw);
            } else if (parent instanceof Class<?> plain) {
                note(plain);
            }
        }
    }

    public Type resolve(Type stated) {
        if (stated instanceof TypeVariable<?> variable) {
            return meaning.getOrDefault(variable, stated);
        } else if (stated instanceof ParameterizedType generic) {
            return new Resolved(
                    generic.getRawType(), generic.getOwnerType(), resolve(generic.getActualTypeArguments()));
        } else if (stated instanceof GenericArrayType array) {
            Type element = resolve(array.getGenericComponentType());
            return element instanceof Class<?> known ? known.arrayType() : new ResolvedArray(element);
        } else if (stated instanceof WildcardType wildcard) {
            return new ResolvedWildcard(resolve(wildcard.getUpperBounds()), resolve(wildcard.getLowerBounds()));
        }
        return stated;
    }

    private List<Type> resolve(Type[] types) {
        return Arrays.stream(types).map(this::resolve).toList();
    }

    /** An array type with a resolved element type. */
    private record ResolvedArray(Type element) implements GenericArrayType {
        @Override
        public Type getGenericComponentType() {
            return element;
        }

        @Override
        public String getTypeName() {
            return element.getTypeName() + "[]";
        }
    }

    /** A wildcard type with resolved bounds. */
    private record ResolvedWildcard(List<Type> upper, List<Type> lower) implements WildcardType {
        @Override
        public Type[] getUpperBounds() {
            return upper.toArray(Type[]::new);
        }

        @Override
        public Type[] getLowerBounds() {
            return lower.toArray(Type[]::new);
        }

        @Override
        public String getTypeName() {
            return lower.isEmpty()
                    ? "? extends " + upper.get(0).getTypeName()
                    : "? super " + lower.get(0).getTypeName();
        }
    }

    /** A generic type with resolved type arguments. */
    private record Resolved(Type raw, @Nullable Type owner, List<Type> arguments) implements ParameterizedType {
        @Override
        public Type[] getActualTypeArguments() {
            return arguments.toArray(Type[]::new);
        }

        @Override
        public Type getRawType() {
            return raw;
        }

        @Override
        public @Nullable Type getOwnerType() {
            return owner;
        }

        @Override
        public String getTypeName() {
            return raw.getTypeName()
                    + arguments.stream().map(Type::getTypeName).collect(Collectors.joining(", ", "<", ">"));
        }
    }

    /** Returns a default value of this type: null, zero or false. */
    public static @Nullable Object nothing(Class<?> returned) {
        return !returned.isPrimitive() || returned == void.class ? null : Array.get(Array.newInstance(returned, 1), 0);
    }
}
