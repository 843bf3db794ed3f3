package dev.dormouse;

import static dev.dormouse.internal.value.Arguments.required;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import java.util.Collections;
import org.jspecify.annotations.Nullable;

/**
 * A type token: a type together with its type arguments, which a {@link Class} does not have. Immutable.
 *
 * <pre>{@code
 * List<Order> orders = Workflow.step("load", new TypeRef<List<Order>>() {}, () -> shop.orders());
 * }</pre>
 */
public abstract class TypeRef<T extends @Nullable Object> {
    private final Type type;

    /**
     * Creates a token from the type argument in {@code new TypeRef<List<Order>>() {}}.
     *
     * @throws DormouseException BAD_ARGUMENT if the type argument is missing, is a raw type or has type variables
     */
    protected TypeRef() {
        Type parent = getClass().getGenericSuperclass();
        if (!(parent instanceof ParameterizedType generic) || generic.getRawType() != TypeRef.class) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a type token with a type argument, but "
                            + getClass().getName() + " has none. Write new TypeRef<List<Order>>() {}.");
        }
        this.type = checked(generic.getActualTypeArguments()[0]);
    }

    private TypeRef(Type type) {
        this.type = type;
    }

    /**
     * Returns the token of a class without type parameters.
     *
     * @throws DormouseException BAD_ARGUMENT for a class with type parameters, such as {@code List.class}
     */
    public static <T extends @Nullable Object> TypeRef<T> of(Class<T> type) {
        return new Plain<>(checked(required(type, "a type")));
    }

    /** Returns the type with its arguments. */
    public final Type type() {
        return type;
    }

    @Override
    public final String toString() {
        return type.getTypeName();
    }

    private static Type checked(Type type) {
        if (type instanceof Class<?> plain) {
            checkNotRaw(plain);
        } else if (type instanceof ParameterizedType generic) {
            Arrays.stream(generic.getActualTypeArguments()).forEach(TypeRef::checked);
        } else if (type instanceof GenericArrayType array) {
            checked(array.getGenericComponentType());
        } else if (type instanceof WildcardType wildcard) {
            Arrays.stream(wildcard.getUpperBounds()).forEach(TypeRef::checked);
        } else if (type instanceof TypeVariable<?>) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a type token without type variables, but got " + type.getTypeName()
                            + ", whose meaning is not known when the code runs. Name the type, or pass the token in.");
        }
        return type;
    }

    private static void checkNotRaw(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        int parameters = element.getTypeParameters().length;
        if (parameters > 0) {
            String name = element.getSimpleName();
            String arguments = String.join(", ", Collections.nCopies(parameters, "…"));
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected a type with type arguments, but got " + type.getTypeName()
                            + ", which has type parameters: its content could not be read back. Write new TypeRef<"
                            + name
                            + "<" + arguments + ">>() {} instead of " + name + ".class.");
        }
    }

    private static final class Plain<T extends @Nullable Object> extends TypeRef<T> {
        Plain(Type type) {
            super(type);
        }
    }
}
