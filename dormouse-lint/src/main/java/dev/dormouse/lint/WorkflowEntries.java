package dev.dormouse.lint;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The workflow code among scanned classes. */
final class WorkflowEntries {
    private final ScannedClasses classes;

    WorkflowEntries(ScannedClasses classes) {
        this.classes = classes;
    }

    /**
     * A workflow.
     *
     * @param home the class that implements it, or that contains its function
     * @param methods the methods that Dormouse calls
     */
    record Entry(ScannedClass home, Set<ScannedMethod> methods) {}

    /** Returns all workflows, in the order of the class files. */
    List<Entry> all() {
        List<Entry> entries = new ArrayList<>();
        for (ScannedClass type : classes.all()) {
            if (!DormouseNames.isLibrary(type.name())) {
                implementation(type).ifPresent(entries::add);
                functions(type).ifPresent(entries::add);
            }
        }
        return entries;
    }

    /** Returns the workflow that a class implements by an interface, or as a {@code WorkflowFunction}. */
    private Optional<Entry> implementation(ScannedClass type) {
        Set<String> supertypes = classes.withSupertypes(type.name());
        boolean isFunction = supertypes.contains(DormouseNames.WORKFLOW_FUNCTION);
        Set<String> interfaces = supertypes.stream()
                .filter(this::isWorkflowInterface)
                .flatMap(name -> classes.withSupertypes(name).stream())
                .collect(Collectors.toSet());
        boolean isWorkflow = !interfaces.isEmpty();
        if (!type.isConcrete() || !isFunction && !isWorkflow) {
            return Optional.empty();
        }
        Set<ScannedMethod> methods = new LinkedHashSet<>();
        for (String name : supertypes) {
            ScannedClass supertype = classes.find(name);
            if (supertype != null) {
                boolean isInterface = interfaces.contains(name);
                supertype.methods().forEach((signature, method) -> {
                    if (isInterface && method.isOverridable() || method.isMarked()) {
                        classes.resolve(type.name(), signature).ifPresent(methods::add);
                    }
                });
            }
        }
        type.methods().forEach((signature, method) -> {
            boolean isRun = isFunction && signature.startsWith("run(") && method.isPublicInstance();
            if (isRun || isWorkflow && method.isConstructor()) {
                methods.add(method);
            }
        });
        return Optional.of(new Entry(type, methods));
    }

    private boolean isWorkflowInterface(String name) {
        ScannedClass type = classes.find(name);
        return type != null && type.isWorkflowInterface();
    }

    /** Returns the workflow functions that a class creates as lambdas or method references. */
    private Optional<Entry> functions(ScannedClass type) {
        Set<ScannedMethod> methods = new LinkedHashSet<>();
        for (CodeUse body : type.workflowFunctions()) {
            classes.resolve(body.owner(), body.signature()).ifPresent(methods::add);
        }
        return methods.isEmpty() ? Optional.empty() : Optional.of(new Entry(type, methods));
    }
}
