package dev.dormouse.lint;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The scanned classes by name, and how they extend each other. If a name occurs twice, the first class counts. */
final class ScannedClasses {
    private final Map<String, ScannedClass> classes = new LinkedHashMap<>();
    private final Map<String, List<ScannedClass>> direct = new HashMap<>();
    private final Set<String> activityInterfaces;

    ScannedClasses(Collection<ScannedClass> scanned, Set<String> activityInterfaces) {
        this.activityInterfaces = activityInterfaces;
        for (ScannedClass type : scanned) {
            if (classes.putIfAbsent(type.name(), type) == null) {
                type.supertypes()
                        .forEach(name -> direct.computeIfAbsent(name, any -> new ArrayList<>())
                                .add(type));
            }
        }
    }

    Collection<ScannedClass> all() {
        return classes.values();
    }

    @Nullable
    ScannedClass find(String name) {
        return classes.get(name);
    }

    /** Returns the type itself and all its supertypes, the nearest first and superclasses before interfaces. */
    Set<String> withSupertypes(String name) {
        Set<String> found = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(name));
        while (!open.isEmpty()) {
            String next = open.removeFirst();
            ScannedClass type = classes.get(next);
            if (found.add(next) && type != null) {
                List<String> supertypes = type.supertypes();
                for (int i = supertypes.size() - 1; i >= 0; i--) {
                    if (i == 0 && !type.isInterface()) {
                        open.addFirst(supertypes.get(i));
                    } else {
                        open.addLast(supertypes.get(i));
                    }
                }
            }
        }
        return found;
    }

    /** Returns the scanned subtypes of a type, without itself. */
    Set<ScannedClass> subtypes(String name) {
        Set<ScannedClass> found = new LinkedHashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(name));
        while (!open.isEmpty()) {
            for (ScannedClass type : direct.getOrDefault(open.removeFirst(), List.of())) {
                if (found.add(type)) {
                    open.add(type.name());
                }
            }
        }
        return found;
    }

    /** Returns the method that a call on {@code owner} executes if no subclass overrides it. */
    Optional<ScannedMethod> resolve(String owner, String signature) {
        return withSupertypes(owner).stream()
                .map(classes::get)
                .flatMap(type ->
                        Optional.ofNullable(type == null ? null : type.methods().get(signature)).stream())
                .findFirst();
    }

    /** Returns the class that declares a static field which code accesses through {@code owner}. */
    Optional<ScannedClass> declaring(String owner, String field) {
        return withSupertypes(owner).stream()
                .flatMap(name -> Optional.ofNullable(classes.get(name)).stream())
                .filter(type -> type.hasStaticField(field))
                .findFirst();
    }

    /** Returns true if calls on this type go to stubs: it is an interface of activities or of a workflow. */
    boolean isStub(String name) {
        ScannedClass type = classes.get(name);
        return type != null
                && type.isInterface()
                && (type.isActivityInterface() || type.isWorkflowInterface() || activityInterfaces.contains(name));
    }
}
