package dev.dormouse;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The types that public and protected signatures mention: parameters, results, exceptions, fields, supertypes, bounds. */
final class ApiSignatures {
    private ApiSignatures() {}

    /** Returns the mentions of types that are not allowed, each as {@code member: type}. */
    static Set<String> foreignTypes(JavaClasses classes, Predicate<String> allowed) {
        Set<String> found = new TreeSet<>();
        classes.stream().filter(ApiSignatures::isVisible).forEach(type -> {
            add(found, allowed, type.getName(), supertypes(type));
            for (JavaCodeUnit unit : type.getCodeUnits()) {
                if (isPublic(unit.getModifiers())) {
                    add(found, allowed, unit.getFullName().replaceAll("\\(.*", ""), types(unit));
                }
            }
            for (JavaField field : type.getFields()) {
                if (isPublic(field.getModifiers())) {
                    add(found, allowed, field.getFullName(), Stream.of(field.getType()));
                }
            }
        });
        return found;
    }

    private static boolean isVisible(JavaClass type) {
        return isPublic(type.getModifiers())
                && type.getEnclosingClass().map(ApiSignatures::isVisible).orElse(true);
    }

    private static boolean isPublic(Set<JavaModifier> modifiers) {
        return (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED))
                && !modifiers.contains(JavaModifier.SYNTHETIC);
    }

    private static Stream<JavaType> supertypes(JavaClass type) {
        return Stream.concat(
                Stream.concat(type.getInterfaces().stream(), type.getSuperclass().stream()),
                type.getTypeParameters().stream());
    }

    private static Stream<JavaType> types(JavaCodeUnit unit) {
        Stream<JavaType> thrown = unit.getThrowsClause().getTypes().stream().map(type -> type);
        return Stream.of(
                        unit.getParameterTypes().stream(),
                        Stream.of(unit.getReturnType()),
                        unit.getTypeParameters().stream(),
                        thrown)
                .flatMap(types -> types);
    }

    private static void add(
            Set<String> found, Predicate<String> allowed, String member, Stream<? extends JavaType> types) {
        types.flatMap(type -> type.getAllInvolvedRawTypes().stream())
                .map(JavaClass::getBaseComponentType)
                .map(JavaClass::getName)
                .filter(name -> name.contains("."))
                .filter(name -> !allowed.test(name.replaceAll("\\$.*", "")))
                .forEach(name -> found.add(member + ": " + name));
    }
}
