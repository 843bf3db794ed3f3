package dev.dormouse.publicapi;

import com.sun.source.tree.CatchTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LambdaExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TryTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;

/**
 * The error codes of the exceptions that methods create, found in the sources without attribution. A method has the
 * codes
 *
 * <ul>
 *   <li>of its body, and of the methods of its own class that it calls, directly or not, except public overloads, which
 *       check arguments that this method does not have,
 *   <li>of the static methods of other classes that these call, found in the same way, but no farther away,
 *   <li>of the internal classes that implement it, if it is a method of an interface.
 * </ul>
 *
 * <p>Calls of other objects are not followed, nor are calls that could be of several overloads, nor is code in a
 * lambda, which runs later, except that of {@code orElseThrow}. So a code that is found is almost always thrown, but
 * not every code that is thrown is found.
 */
final class ThrownCodes {
    private static final String CONSTRUCTOR = "<init>";

    /**
     * A method.
     *
     * @param type the simple name of its class
     * @param name its name
     * @param parameters the types of its parameters, as in {@link ApiSources#parameters}
     */
    private record Key(String type, String name, String parameters) {}

    /** A call, whose argument types are not known. */
    private record Call(String type, String name, int arguments) {}

    private final Map<Key, Set<String>> codes = new HashMap<>();
    private final Map<Key, Set<Call>> calls = new HashMap<>();
    private final Map<Call, List<Key>> declared = new HashMap<>();
    private final Set<Key> helpers = new HashSet<>();
    private final Map<String, List<String>> implementations = new HashMap<>();

    private ThrownCodes() {}

    /** Reads the codes of all methods in these sources. */
    static ThrownCodes in(List<CompilationUnitTree> units) {
        ThrownCodes found = new ThrownCodes();
        units.forEach(unit ->
                unit.accept(found.new Reader(unit.getPackageName().toString().contains(".internal")), null));
        return found;
    }

    /** Returns the codes of a method or constructor of a class with this simple name. */
    Set<String> of(String type, MethodTree method) {
        Set<Key> own = closed(Set.of(key(type, method)));
        Set<Key> called = own.stream()
                .flatMap(key -> calls.getOrDefault(key, Set.of()).stream().filter(call -> !call.type.equals(key.type)))
                .flatMap(call -> target(call).stream())
                .collect(Collectors.toSet());
        return Stream.of(own, closed(called))
                .flatMap(Set::stream)
                .flatMap(key -> codes.getOrDefault(key, Set.of()).stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Key key(String type, MethodTree method) {
        return new Key(type, method.getName().toString(), ApiSources.parameters(method));
    }

    /** Returns the methods, their implementations, and what these call in their own classes, directly or not. */
    private Set<Key> closed(Set<Key> methods) {
        Set<Key> seen = new HashSet<>();
        Deque<Key> open = new ArrayDeque<>(methods);
        while (!open.isEmpty()) {
            Key key = open.remove();
            if (seen.add(key)) {
                calls.getOrDefault(key, Set.of()).stream()
                        .filter(call -> call.type.equals(key.type))
                        .flatMap(call -> target(call).stream())
                        .filter(target -> !target.name.equals(key.name) || helpers.contains(target))
                        .forEach(open::add);
                implementations
                        .getOrDefault(key.type, List.of())
                        .forEach(type -> open.add(new Key(type, key.name, key.parameters)));
            }
        }
        return seen;
    }

    private Optional<Key> target(Call call) {
        List<Key> targets = declared.getOrDefault(call, List.of());
        return targets.size() == 1 ? Optional.of(targets.get(0)) : Optional.empty();
    }

    /** Reads one file. */
    private final class Reader extends TreeScanner<Void, Void> {
        private final boolean isInternal;
        private final Deque<ClassTree> types = new ArrayDeque<>();
        private final Map<String, String> staticImports = new HashMap<>();
        private Key method = new Key("", "", "");

        Reader(boolean isInternal) {
            this.isInternal = isInternal;
        }

        @Override
        public Void visitImport(ImportTree imported, Void none) {
            if (imported.isStatic() && imported.getQualifiedIdentifier() instanceof MemberSelectTree name) {
                staticImports.put(name.getIdentifier().toString(), simpleName(name.getExpression()));
            }
            return null;
        }

        @Override
        public Void visitClass(ClassTree type, Void none) {
            Key outer = method;
            types.push(type);
            if (isInternal) {
                type.getImplementsClause()
                        .forEach(implemented -> implementations
                                .computeIfAbsent(simpleName(implemented), any -> new ArrayList<>())
                                .add(type.getSimpleName().toString()));
            }
            super.visitClass(type, none);
            types.pop();
            method = outer;
            return null;
        }

        @Override
        public Void visitMethod(MethodTree tree, Void none) {
            Key outer = method;
            method = key(types.element().getSimpleName().toString(), tree);
            declared.computeIfAbsent(
                            new Call(
                                    method.type,
                                    method.name,
                                    tree.getParameters().size()),
                            any -> new ArrayList<>())
                    .add(method);
            if (tree.getModifiers().getFlags().contains(Modifier.PRIVATE)) {
                helpers.add(method);
            }
            super.visitMethod(tree, none);
            method = outer;
            return null;
        }

        @Override
        public Void visitNewClass(NewClassTree created, Void none) {
            created.getArguments().forEach(this::code);
            String type = simpleName(created.getIdentifier());
            if (type.endsWith("Exception")) {
                call(type, CONSTRUCTOR, created.getArguments());
            }
            return super.visitNewClass(created, none);
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
            if (call.getMethodSelect() instanceof IdentifierTree own) {
                String name = own.getName().toString();
                if (name.equals("super") || name.equals("this")) {
                    call.getArguments().forEach(this::code);
                } else {
                    call(staticImports.getOrDefault(name, method.type), name, call.getArguments());
                }
            } else if (call.getMethodSelect() instanceof MemberSelectTree select) {
                String receiver = simpleName(select.getExpression());
                String name = select.getIdentifier().toString();
                if (receiver.matches("[A-Z]\\w*")) {
                    call(receiver, name, call.getArguments());
                } else if (name.equals("orElseThrow")) {
                    call.getArguments().stream()
                            .filter(argument -> argument instanceof LambdaExpressionTree)
                            .forEach(lambda -> scan(((LambdaExpressionTree) lambda).getBody(), none));
                }
            }
            return super.visitMethodInvocation(call, none);
        }

        private void call(String type, String name, List<? extends ExpressionTree> arguments) {
            calls.computeIfAbsent(method, any -> new HashSet<>()).add(new Call(type, name, arguments.size()));
        }

        private void code(ExpressionTree argument) {
            if (argument instanceof MemberSelectTree select
                    && simpleName(select.getExpression()).equals("ErrorCode")) {
                codes.computeIfAbsent(method, any -> new HashSet<>())
                        .add(select.getIdentifier().toString());
            }
        }

        @Override
        public Void visitLambdaExpression(LambdaExpressionTree lambda, Void none) {
            return null;
        }

        /** Exceptions that a catch clause replaces do not count. */
        @Override
        public Void visitTry(TryTree tree, Void none) {
            boolean isCaught = tree.getCatches().stream()
                    .map(CatchTree::getParameter)
                    .anyMatch(caught -> caught.getType().toString().matches(".*(Dormouse|Runtime)Exception.*"));
            return isCaught ? scan(tree.getCatches(), none) : super.visitTry(tree, none);
        }

        private static String simpleName(Tree tree) {
            String name = tree.toString().replaceFirst("<.*", "");
            return name.substring(name.lastIndexOf('.') + 1);
        }
    }
}
