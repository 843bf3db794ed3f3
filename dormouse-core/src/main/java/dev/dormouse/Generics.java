package dev.dormouse;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the type variables of inherited interfaces stand for in one that extends them. */
final class Generics {
    private final Map<TypeVariable<?>, Type> meaning = new HashMap<>();

    Generics(Class<?> type) {
        note(type);
    }

    private void note(Class<?> type) {
        for (Type parent : type.getGenericInterfaces()) {
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

    Type resolve(Type type) {
        if (type instanceof TypeVariable<?> variable) {
            return meaning.getOrDefault(variable, type);
        } else if (type instanceof ParameterizedType generic) {
            List<Type> arguments = Arrays.stream(generic.getActualTypeArguments())
                    .map(this::resolve)
                    .toList();
            return new Resolved(generic.getRawType(), generic.getOwnerType(), arguments);
        }
        return type;
    }

    /** A generic type with known arguments. */
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
            return raw.getTypeName() + arguments.stream().map(Type::getTypeName).toList();
        }
    }
}
