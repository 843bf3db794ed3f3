package dev.dormouse.publicapi;

import dev.dormouse.error.ErrorCode;
import java.util.List;
import java.util.Set;

/**
 * A public type, method, constructor or constant, as far as the rules for its comment depend on it.
 *
 * @param name the qualified name, of methods with their parameter types
 * @param kind the kind of element
 * @param inherits true if another text applies, such as the comment of an overridden method
 * @param hasResult true for a method with a result other than an object of its own type
 * @param mentionsNull true if the result or a parameter is {@code @Nullable}
 * @param isOption true for a method of options or of a builder that reads or sets a value
 * @param thrown the simple names of the declared exceptions
 * @param codes the error codes of exceptions that its code throws, see {@link ThrownCodes}
 * @param components the components of a record
 */
record ApiElement(
        String name,
        Kind kind,
        boolean inherits,
        boolean hasResult,
        boolean mentionsNull,
        boolean isOption,
        List<String> thrown,
        Set<String> codes,
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
        return new ApiElement(name, Kind.TYPE, false, false, false, false, List.of(), Set.of(), components);
    }

    /** An error code needs no comment: its texts in errors.properties are checked by a test of their own. */
    static ApiElement constant(String name) {
        boolean explained = name.startsWith(ErrorCode.class.getName() + ".");
        return new ApiElement(name, Kind.CONSTANT, explained, false, false, false, List.of(), Set.of(), List.of());
    }
}
