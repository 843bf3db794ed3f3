package dev.dormouse.publicapi;

import java.util.List;

/**
 * A public type, method, constructor or constant, as far as the rules for its comment depend on it.
 *
 * @param name the qualified name, of methods with their parameter types
 * @param kind the kind of element
 * @param inherits true if the comment of an overridden method applies
 * @param hasResult true for a method with a result other than an object of its own type
 * @param mentionsNull true if the result or a parameter is {@code @Nullable}
 * @param readsOption true for a method of options that returns a value
 * @param thrown the simple names of the declared exceptions
 * @param components the components of a record
 */
record ApiElement(
        String name,
        Kind kind,
        boolean inherits,
        boolean hasResult,
        boolean mentionsNull,
        boolean readsOption,
        List<String> thrown,
        List<String> components) {

    enum Kind {
        TYPE,
        METHOD,
        CONSTRUCTOR,
        ANNOTATION_ELEMENT,
        CONSTANT
    }

    boolean isMethod() {
        return kind == Kind.METHOD || kind == Kind.CONSTRUCTOR;
    }

    static ApiElement type(String name, List<String> components) {
        return new ApiElement(name, Kind.TYPE, false, false, false, false, List.of(), components);
    }

    static ApiElement constant(String name) {
        return new ApiElement(name, Kind.CONSTANT, false, false, false, false, List.of(), List.of());
    }
}
