package dev.dormouse.lint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;

/** A class as its class file describes it. Names are in the form of byte code: {@code com/acme/Orders}. */
final class ScannedClass {
    private final String name;
    private final int access;
    private final List<String> supertypes = new ArrayList<>();
    private final Map<String, ScannedMethod> methods = new LinkedHashMap<>();
    private final Map<String, Integer> staticFields = new LinkedHashMap<>();
    private final List<CodeUse> workflowFunctions = new ArrayList<>();
    private boolean isWorkflowInterface;
    private boolean isActivityInterface;
    private String file = "";

    ScannedClass(String name, int access, @Nullable String superclass, List<String> interfaces) {
        this.name = name;
        this.access = access;
        if (superclass != null) {
            supertypes.add(superclass);
        }
        supertypes.addAll(interfaces);
    }

    void markWorkflowInterface() {
        isWorkflowInterface = true;
    }

    void markActivityInterface() {
        isActivityInterface = true;
    }

    void file(String source) {
        file = source;
    }

    void addStaticField(String field, int flags) {
        staticFields.put(field, flags);
    }

    /** Adds the body of a lambda or method reference that becomes a workflow function. */
    void addWorkflowFunction(CodeUse body) {
        workflowFunctions.add(body);
    }

    /** Adds a method. {@code signature} is its name and types. */
    void add(String signature, ScannedMethod method) {
        methods.putIfAbsent(signature, method);
    }

    String name() {
        return name;
    }

    /** Returns the binary name. */
    String label() {
        return name.replace('/', '.');
    }

    String file() {
        return file;
    }

    /** Returns the superclass and then the interfaces. */
    List<String> supertypes() {
        return supertypes;
    }

    Map<String, ScannedMethod> methods() {
        return methods;
    }

    List<CodeUse> workflowFunctions() {
        return workflowFunctions;
    }

    boolean isInterface() {
        return (access & Opcodes.ACC_INTERFACE) != 0;
    }

    boolean isConcrete() {
        return (access & (Opcodes.ACC_INTERFACE | Opcodes.ACC_ABSTRACT)) == 0;
    }

    boolean isWorkflowInterface() {
        return isWorkflowInterface;
    }

    boolean isActivityInterface() {
        return isActivityInterface;
    }

    boolean hasStaticField(String field) {
        return staticFields.containsKey(field);
    }

    /** Returns true if the static field can change. Fields that compilers and coverage tools add do not count. */
    boolean isMutable(String field) {
        return (staticFields.getOrDefault(field, Opcodes.ACC_FINAL) & (Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC)) == 0;
    }
}
