package dev.dormouse.lint;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A walk through workflow code, from the methods that Dormouse calls along their calls. It visits each method once, the
 * nearest first, so a finding has a shortest path. A virtual call leads to the named class and to all scanned subclasses
 * that override the method. Steps, activities and stubs are not entered.
 */
final class CodeWalk {
    private final ScannedClasses classes;
    private final Map<ScannedMethod, List<String>> paths = new LinkedHashMap<>();
    private final Deque<ScannedMethod> open = new ArrayDeque<>();
    private final Set<Finding> findings = new LinkedHashSet<>();

    CodeWalk(ScannedClasses classes) {
        this.classes = classes;
    }

    /** Returns the findings in these methods and in what they call. */
    List<Finding> from(Set<ScannedMethod> entries) {
        entries.forEach(method -> enter(method, List.of()));
        while (!open.isEmpty()) {
            ScannedMethod method = open.removeFirst();
            method.uses().forEach(use -> look(method, use));
        }
        return List.copyOf(findings);
    }

    private void enter(ScannedMethod method, @Nullable List<String> before) {
        if (before == null || DormouseNames.isLibrary(method.owner().name()) || paths.containsKey(method)) {
            return;
        }
        List<String> path = new ArrayList<>(before);
        if (path.isEmpty() || !path.get(path.size() - 1).equals(method.label())) {
            path.add(method.label());
        }
        paths.put(method, path);
        open.add(method);
    }

    private void look(ScannedMethod method, CodeUse use) {
        switch (use.kind()) {
            case CALL_EXACT -> call(method, use, false);
            case CALL_VIRTUAL -> call(method, use, true);
            case CREATE -> create(method, use);
            case READ_STATIC, WRITE_STATIC -> field(method, use);
        }
    }

    private void call(ScannedMethod method, CodeUse use, boolean isVirtual) {
        if (classes.isStub(use.owner()) || DormouseNames.isLibrary(use.owner())) {
            return;
        }
        Optional<ScannedMethod> target = classes.resolve(use.owner(), use.signature());
        if (target.isEmpty()) {
            inherited(use).ifPresent(rule -> report(method, use, rule));
        }
        target.ifPresent(found -> enter(found, paths.get(method)));
        if (isVirtual && target.map(ScannedMethod::isOverridable).orElse(true)) {
            for (ScannedClass type :
                    classes.find(use.owner()) == null ? Set.<ScannedClass>of() : classes.subtypes(use.owner())) {
                ScannedMethod override = type.methods().get(use.signature());
                if (override != null && override.isOverridable()) {
                    enter(override, paths.get(method));
                }
            }
        }
    }

    /** Returns the rule that a call breaks which goes to the JDK, possibly through scanned subclasses of the JDK's class. */
    private Optional<Rule> inherited(CodeUse use) {
        return classes.withSupertypes(use.owner()).stream()
                .flatMap(owner -> ForbiddenCalls.rule(owner, use.name(), use.descriptor()).stream())
                .findFirst();
    }

    /** Enters the methods of a new object that the JDK or Dormouse calls back, as it enters the body of a lambda. */
    private void create(ScannedMethod method, CodeUse use) {
        ScannedClass type = classes.find(use.owner());
        Set<String> supertypes = classes.withSupertypes(use.owner());
        if (type == null
                || supertypes.stream().anyMatch(DormouseNames::isStep)
                || supertypes.stream().noneMatch(CodeWalk::isCallback)) {
            return;
        }
        type.methods().values().stream()
                .filter(ScannedMethod::isPublicInstance)
                .forEach(callback -> enter(callback, paths.get(method)));
    }

    private static boolean isCallback(String type) {
        return type.startsWith("java/util/function/")
                || type.equals("java/lang/Runnable")
                || type.equals("java/util/concurrent/Callable")
                || type.equals("java/util/Comparator");
    }

    /** A final static field has the value that its static initializer computed, so this is entered. */
    private void field(ScannedMethod method, CodeUse use) {
        if (ForbiddenCalls.isStandardInput(use.owner(), use.name())) {
            report(method, use, Rule.IO);
            return;
        }
        classes.declaring(use.owner(), use.name()).ifPresent(owner -> {
            boolean isInitializer = method.isStaticInitializer() && method.owner() == owner;
            if (owner.isMutable(use.name()) && !isInitializer) {
                report(method, use, Rule.STATIC_STATE);
            } else {
                classes.resolve(owner.name(), "<clinit>()V")
                        .filter(initializer -> initializer.owner() == owner)
                        .ifPresent(initializer -> enter(initializer, paths.get(method)));
            }
        });
    }

    private void report(ScannedMethod method, CodeUse use, Rule rule) {
        boolean isConstructor = use.name().equals("<init>");
        String owner = use.owner().replace('/', '.');
        findings.add(new Finding(
                rule,
                method.owner().label(),
                method.sourceName(),
                method.owner().file(),
                use.line(),
                isConstructor ? "new " + owner : owner + "." + use.name(),
                paths.getOrDefault(method, List.of())));
    }
}
