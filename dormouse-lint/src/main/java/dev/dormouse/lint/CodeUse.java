package dev.dormouse.lint;

/**
 * An instruction that the check looks at. Names are in the form of byte code: {@code java/time/Instant}.
 *
 * @param descriptor the types of the parameters and of the result; empty for fields and {@link Kind#CREATE}
 * @param line the line in the source file, or 0
 */
record CodeUse(Kind kind, String owner, String name, String descriptor, int line) {

    /** The kinds of instructions. A lambda or method reference is a call of its body. */
    enum Kind {
        /** A call of exactly this method: static, of a constructor, private, or by {@code super}. */
        CALL_EXACT,
        /** A call that a subclass can receive. */
        CALL_VIRTUAL,
        CREATE,
        READ_STATIC,
        WRITE_STATIC
    }

    /** Returns the name and the types of the method. */
    String signature() {
        return name + descriptor;
    }
}
