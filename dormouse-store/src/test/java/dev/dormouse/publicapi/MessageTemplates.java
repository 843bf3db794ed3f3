package dev.dormouse.publicapi;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import dev.dormouse.error.ErrorCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The messages in the sources, as patterns: the literal parts of a concatenation, with anything between them. A message
 * belongs to the codes that its method or field names, or that a method or constructor names that it calls, such as
 * {@code new CodeMismatch(…)}. If there are none, it belongs to all codes of its file.
 */
final class MessageTemplates {
    private static final Set<String> CODES =
            Arrays.stream(ErrorCode.values()).map(ErrorCode::name).collect(Collectors.toSet());
    private static final Pattern FORMAT = Pattern.compile("%(?:\\d+\\$)?[,\\d.]*[a-zA-Z]");
    private static final Pattern OPENING = Pattern.compile("(\\(\\?:)?\\\\QExpected ");
    private static final String ANYTHING = "(?s:.*?)";

    /** A pattern with fewer fixed characters could match a guess. */
    private static final int FEWEST_FIXED = 20;

    private final Map<String, Set<String>> patterns = new HashMap<>();

    /** Reads the main sources of all modules. */
    static MessageTemplates read() {
        List<List<Member>> files =
                ApiSources.mainSources().stream().map(MessageTemplates::members).toList();
        Map<String, Set<String>> carried = new HashMap<>();
        files.stream()
                .flatMap(List::stream)
                .filter(member ->
                        member.codes().size() == 1 && member.messages().isEmpty())
                .forEach(member -> carried.computeIfAbsent(member.name(), name -> new LinkedHashSet<>())
                        .addAll(member.codes()));
        MessageTemplates templates = new MessageTemplates();
        files.forEach(members -> templates.add(members, carried));
        return templates;
    }

    /** Returns all texts in the main sources. */
    static Stream<String> literals() {
        List<String> literals = new ArrayList<>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitLiteral(LiteralTree literal, Void none) {
                if (literal.getValue() instanceof String text) {
                    literals.add(text);
                }
                return null;
            }
        }.scan(ApiSources.mainSources(), null);
        return literals.stream();
    }

    /** Returns the patterns of the messages with a code. */
    Set<String> of(ErrorCode code) {
        Set<String> all = patterns.getOrDefault(code.name(), Set.of());
        Set<String> whole = new LinkedHashSet<>(all);
        whole.removeIf(pattern -> pattern.startsWith(ANYTHING));
        for (String continued : all) {
            if (continued.startsWith(ANYTHING)) {
                all.stream()
                        .filter(pattern -> !pattern.startsWith(ANYTHING))
                        .forEach(pattern -> whole.add(pattern + continued.substring(ANYTHING.length())));
            }
        }
        return whole;
    }

    private void add(List<Member> members, Map<String, Set<String>> carried) {
        Set<String> ofFile = new LinkedHashSet<>();
        members.forEach(member -> ofFile.addAll(member.codes()));
        for (Member member : members) {
            Set<String> codes = new LinkedHashSet<>(member.codes());
            member.calls().forEach(call -> codes.addAll(carried.getOrDefault(call, Set.of())));
            for (String code : codes.isEmpty() ? ofFile : codes) {
                patterns.computeIfAbsent(code, name -> new LinkedHashSet<>()).addAll(member.messages());
            }
        }
    }

    private static List<Member> members(CompilationUnitTree unit) {
        List<Member> members = new ArrayList<>();
        Map<String, String> constants = new HashMap<>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitClass(ClassTree type, Void none) {
                for (Tree member : type.getMembers()) {
                    if (member instanceof VariableTree field && field.getInitializer() instanceof LiteralTree text) {
                        constants.put(field.getName().toString(), String.valueOf(text.getValue()));
                    }
                }
                type.getMembers().stream()
                        .filter(member -> !(member instanceof ClassTree))
                        .forEach(member -> members.add(Member.of(type, member, constants)));
                return super.visitClass(type, none);
            }
        }.scan(unit, null);
        return members;
    }

    /** The codes and the messages that a method or field names, and the methods and constructors that it calls. */
    private record Member(String name, Set<String> codes, Set<String> messages, Set<String> calls) {

        static Member of(ClassTree type, Tree member, Map<String, String> constants) {
            Reader reader = new Reader(constants);
            reader.scan(member, null);
            return new Member(name(type, member), reader.codes, reader.messages, reader.calls);
        }

        private static String name(ClassTree type, Tree member) {
            if (!(member instanceof MethodTree method)) {
                return "";
            }
            return method.getReturnType() == null
                    ? "new " + type.getSimpleName()
                    : type.getSimpleName() + "." + method.getName();
        }
    }

    private static final class Reader extends TreeScanner<Void, Void> {
        final Set<String> codes = new LinkedHashSet<>();
        final Set<String> messages = new LinkedHashSet<>();
        final Set<String> calls = new LinkedHashSet<>();
        private final Map<String, String> constants;

        Reader(Map<String, String> constants) {
            this.constants = constants;
        }

        @Override
        public Void visitMemberSelect(MemberSelectTree select, Void none) {
            if (select.getExpression().toString().equals("ErrorCode")) {
                codes.add(select.getIdentifier().toString());
            }
            return super.visitMemberSelect(select, none);
        }

        @Override
        public Void visitIdentifier(IdentifierTree name, Void none) {
            if (CODES.contains(name.getName().toString())) {
                codes.add(name.getName().toString());
            }
            return super.visitIdentifier(name, none);
        }

        @Override
        public Void visitLiteral(LiteralTree literal, Void none) {
            add(literal);
            return null;
        }

        @Override
        public Void visitBinary(BinaryTree sum, Void none) {
            return add(sum) ? null : super.visitBinary(sum, none);
        }

        @Override
        public Void visitMethodInvocation(MethodInvocationTree call, Void none) {
            calls.add(call.getMethodSelect().toString());
            return add(call) ? null : super.visitMethodInvocation(call, none);
        }

        @Override
        public Void visitNewClass(NewClassTree created, Void none) {
            calls.add("new " + created.getIdentifier());
            return super.visitNewClass(created, none);
        }

        /** Adds a message, and returns true unless the expression is none. */
        private boolean add(ExpressionTree expression) {
            String pattern = pattern(expression);
            boolean opens =
                    pattern.startsWith(ANYTHING) || OPENING.matcher(pattern).lookingAt();
            int fixed = pattern.replace(ANYTHING, "").replaceAll("\\\\[QE]", "").length();
            return opens && fixed >= FEWEST_FIXED && messages.add(pattern);
        }

        /** Returns a literal as a pattern. Logged messages have {@code {}} for each value, first for the code. */
        private static String literal(String text) {
            return Arrays.stream(text.replaceFirst("^\\[\\{}] ", "")
                            .replaceAll("\\s+", " ")
                            .split("\\{}", -1))
                    .map(Pattern::quote)
                    .collect(Collectors.joining(ANYTHING));
        }

        private String pattern(Tree expression) {
            if (expression instanceof LiteralTree literal) {
                return literal(String.valueOf(literal.getValue()));
            }
            if (expression instanceof ParenthesizedTree inner) {
                return pattern(inner.getExpression());
            }
            if (expression instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
                return pattern(sum.getLeftOperand()) + pattern(sum.getRightOperand());
            }
            if (expression instanceof ConditionalExpressionTree choice) {
                return "(?:" + pattern(choice.getTrueExpression()) + "|" + pattern(choice.getFalseExpression()) + ")";
            }
            if (expression instanceof IdentifierTree name
                    && constants.containsKey(name.getName().toString())) {
                return Pattern.quote(constants.get(name.getName().toString()));
            }
            if (expression instanceof MethodInvocationTree call) {
                return call(call);
            }
            return ANYTHING;
        }

        private static String call(MethodInvocationTree call) {
            String format = null;
            if (call.getMethodSelect() instanceof MemberSelectTree select) {
                if (select.getIdentifier().contentEquals("formatted")
                        && select.getExpression() instanceof LiteralTree text) {
                    format = String.valueOf(text.getValue());
                } else if (select.toString().equals("String.format")
                        && call.getArguments().get(0) instanceof LiteralTree text) {
                    format = String.valueOf(text.getValue());
                }
            }
            return format == null ? ANYTHING : formatted(format);
        }

        private static String formatted(String format) {
            StringBuilder pattern = new StringBuilder();
            Matcher hole = FORMAT.matcher(format);
            int from = 0;
            while (hole.find()) {
                pattern.append(Pattern.quote(format.substring(from, hole.start())))
                        .append(ANYTHING);
                from = hole.end();
            }
            return pattern.append(Pattern.quote(format.substring(from))).toString();
        }
    }
}
