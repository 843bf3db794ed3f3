package dev.dormouse.codec;

import com.fasterxml.jackson.annotation.JsonFormat;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.Version;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.ser.Serializers;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.ser.bean.BeanSerializerBase;
import tools.jackson.databind.ser.std.StdSerializer;
import tools.jackson.databind.ser.std.ToEmptyObjectSerializer;
import tools.jackson.databind.util.ClassUtil;

/**
 * A Jackson module that decides which values may be written as an empty object: only those of classes without any
 * state. Other values would lose their content and are refused. JDK containers that have getters but cannot be read
 * back, such as a {@code BitSet}, are refused too.
 */
final class EmptyBeans extends JacksonModule {

    @Override
    public String getModuleName() {
        return EmptyBeans.class.getName();
    }

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    @Override
    public void setupModule(SetupContext context) {
        context.addSerializers(new Serializers() {
            @Override
            public @Nullable ValueSerializer<?> findSerializer(
                    SerializationConfig config,
                    JavaType type,
                    BeanDescription.Supplier bean,
                    JsonFormat.@Nullable Value format) {
                Class<?> raw = type.getRawClass();
                return raw != Object.class && mayBeEmpty(raw) && hasNoProperties(bean.get())
                        ? new ToEmptyObjectSerializer(type)
                        : null;
            }
        });
        context.addSerializerModifier(new RefuseEmpty());
    }

    private static boolean hasNoProperties(BeanDescription bean) {
        return bean.findProperties().isEmpty()
                && bean.findJsonValueAccessor() == null
                && bean.findAnyGetter() == null
                && !bean.hasKnownClassAnnotations();
    }

    /** Returns true for a user class without state that Jackson does not handle in another way. */
    private static boolean mayBeEmpty(Class<?> type) {
        return !type.isPrimitive()
                && !type.isArray()
                && !type.isEnum()
                && !type.isInterface()
                && isOnlyOfTheUser(type)
                && !hasState(type);
    }

    private static boolean isOnlyOfTheUser(Class<?> type) {
        if (type == Object.class || type == Serializable.class) {
            return true;
        }
        Class<?> parent = type.getSuperclass();
        return !ClassUtil.isJDKClass(type)
                && (parent == null || isOnlyOfTheUser(parent))
                && Arrays.stream(type.getInterfaces()).allMatch(EmptyBeans::isOnlyOfTheUser);
    }

    private static boolean hasState(Class<?> type) {
        if (isLambda(type)) {
            return true;
        }
        for (Class<?> part = type; part != null; part = part.getSuperclass()) {
            for (Field field : part.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isLambda(Class<?> type) {
        return type.isHidden() || type.isSynthetic();
    }

    /** Refuses values of beans that have state, but no properties that could be read back. */
    private static final class RefuseEmpty extends ValueSerializerModifier {
        private static final long serialVersionUID = 1L;

        @Override
        public ValueSerializer<?> modifySerializer(
                SerializationConfig config, BeanDescription.Supplier bean, ValueSerializer<?> serializer) {
            Class<?> type = bean.getBeanClass();
            boolean isLost = hasState(type)
                    && (!serializer.properties().hasNext() || isReadOnly(type))
                    && bean.get().findAnyGetter() == null;
            return serializer instanceof BeanSerializerBase && isLost ? new Refusing(type) : serializer;
        }

        /**
         * Returns true for a JDK container, such as a BitSet, whose getters would be written but could not be read
         * back. Classes of other packages, such as locks, carry no values.
         */
        private static boolean isReadOnly(Class<?> type) {
            return type.getPackageName().equals("java.util")
                    && !Throwable.class.isAssignableFrom(type)
                    && Arrays.stream(type.getMethods())
                            .noneMatch(method -> method.getName().matches("set.+") && method.getParameterCount() == 1);
        }
    }

    private static final class Refusing extends StdSerializer<Object> {
        Refusing(Class<?> type) {
            super(type);
        }

        @Override
        public void serialize(Object value, JsonGenerator out, SerializationContext context) {
            context.reportBadDefinition(
                    handledType(),
                    isLambda(value.getClass())
                            ? "a lambda has no content that could be written"
                            : "nothing of a " + value.getClass().getName() + " would be written and read back",
                    null);
        }

        @Override
        public void serializeWithType(
                Object value, JsonGenerator out, SerializationContext context, TypeSerializer types) {
            serialize(value, out, context);
        }
    }
}
