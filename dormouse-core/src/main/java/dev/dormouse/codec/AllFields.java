package dev.dormouse.codec;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import tools.jackson.databind.introspect.AnnotatedField;
import tools.jackson.databind.introspect.VisibilityChecker;
import tools.jackson.databind.util.ClassUtil;

/**
 * Jackson's default visibility rules, plus private fields: the state of a class is kept even if it has no getters. Not
 * included are fields that a compiler generated, fields of JDK classes, and fields in modules that are not open.
 */
final class AllFields extends VisibilityChecker {
    private static final long serialVersionUID = 1L;

    AllFields() {
        this(
                Visibility.ANY,
                Visibility.PUBLIC_ONLY,
                Visibility.PUBLIC_ONLY,
                Visibility.ANY,
                Visibility.PUBLIC_ONLY,
                Visibility.NON_PRIVATE);
    }

    private AllFields(
            Visibility field,
            Visibility getter,
            Visibility isGetter,
            Visibility setter,
            Visibility creator,
            Visibility scalarConstructor) {
        super(field, getter, isGetter, setter, creator, scalarConstructor);
    }

    @Override
    protected VisibilityChecker _with(
            Visibility field,
            Visibility getter,
            Visibility isGetter,
            Visibility setter,
            Visibility creator,
            Visibility scalarConstructor) {
        return new AllFields(field, getter, isGetter, setter, creator, scalarConstructor);
    }

    @Override
    public boolean isFieldVisible(AnnotatedField field) {
        return super.isFieldVisible(field) && isState(field.getAnnotated());
    }

    private static boolean isState(Field field) {
        return Modifier.isPublic(field.getModifiers())
                || field.getName().indexOf('$') < 0
                        && !ClassUtil.isJDKClass(field.getDeclaringClass())
                        && field.trySetAccessible();
    }
}
