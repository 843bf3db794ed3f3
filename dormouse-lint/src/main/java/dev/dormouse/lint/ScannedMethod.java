package dev.dormouse.lint;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.objectweb.asm.Opcodes;

/** A method of a scanned class. */
final class ScannedMethod {
    private static final Pattern LAMBDA = Pattern.compile("lambda\\$(.*)\\$\\d+");

    private final ScannedClass owner;
    private final String name;
    private final int access;
    private final List<CodeUse> uses = new ArrayList<>();
    private boolean isMarked;

    ScannedMethod(ScannedClass owner, String name, int access) {
        this.owner = owner;
        this.name = name;
        this.access = access;
    }

    void add(CodeUse use) {
        uses.add(use);
    }

    /** Records that the method has an annotation of workflow methods. */
    void mark() {
        isMarked = true;
    }

    ScannedClass owner() {
        return owner;
    }

    List<CodeUse> uses() {
        return uses;
    }

    boolean isMarked() {
        return isMarked;
    }

    boolean isConstructor() {
        return name.equals("<init>");
    }

    boolean isStaticInitializer() {
        return name.equals("<clinit>");
    }

    /** Returns true if a subclass can override the method. */
    boolean isOverridable() {
        return (access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0 && !isConstructor();
    }

    boolean isPublicInstance() {
        return isOverridable() && (access & Opcodes.ACC_PUBLIC) != 0;
    }

    /** Returns the name of the method, or of the method around it if this one is the body of a lambda. */
    String sourceName() {
        Matcher lambda = LAMBDA.matcher(name);
        if ((access & Opcodes.ACC_SYNTHETIC) == 0 || !lambda.matches()) {
            return name;
        }
        return switch (lambda.group(1)) {
            case "new" -> "<init>";
            case "static" -> "<clinit>";
            default -> lambda.group(1);
        };
    }

    /** Returns the names of the class and the method, for people. */
    String label() {
        return owner.label() + "." + sourceName();
    }
}
