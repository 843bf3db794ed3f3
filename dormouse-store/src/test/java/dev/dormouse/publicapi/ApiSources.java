package dev.dormouse.publicapi;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExportsTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The sources of the API, read by the compiler's parser: nothing has to be compiled before. */
final class ApiSources {
    /** The folder of the whole project, as tests see it. */
    static final Path ROOT = Path.of("..");

    /** The public API of modules without a module-info. */
    private static final Set<String> WITHOUT_MODULE = Set.of("dev.dormouse.server");

    private ApiSources() {}

    /** Returns all packages that a module exports to every other module. */
    static Set<String> packages() {
        Set<String> packages = new TreeSet<>(WITHOUT_MODULE);
        parse(modules()
                        .map(sources -> sources.resolve("module-info.java"))
                        .filter(Files::exists)
                        .toList())
                .units()
                .forEach(unit -> unit.getModule().getDirectives().stream()
                        .filter(directive -> directive instanceof ExportsTree)
                        .map(directive -> (ExportsTree) directive)
                        .filter(export -> export.getModuleNames() == null)
                        .forEach(export -> packages.add(export.getPackageName().toString())));
        return packages;
    }

    /** Returns all public and protected elements of the API, with their comments. */
    static List<ApiComment> comments() {
        Parsed parsed = parse(files());
        List<ApiComment> comments = new ArrayList<>();
        parsed.units()
                .forEach(unit ->
                        new Reader(parsed.trees(), unit.getPackageName().toString(), comments).scan(unit, null));
        return comments;
    }

    /** Returns the source files of the API, sorted. */
    static List<Path> files() {
        Set<String> packages = packages();
        return modules()
                .flatMap(sources -> packages.stream().map(name -> sources.resolve(name.replace('.', '/'))))
                .filter(Files::isDirectory)
                .flatMap(folder -> list(folder).filter(file -> file.toString().endsWith(".java")))
                .sorted()
                .toList();
    }

    /** Returns the parsed main sources of all modules, exported or not. */
    static List<CompilationUnitTree> mainSources() {
        return parse(modules().flatMap(ApiSources::javaFiles).toList()).units();
    }

    /** Returns the types of a method's parameters as text, in parentheses. */
    static String parameters(MethodTree method) {
        return method.getParameters().stream()
                .map(parameter -> parameter.getType().toString())
                .collect(Collectors.joining(", ", "(", ")"));
    }

    private static Stream<Path> javaFiles(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files
                    .filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("module-info.java"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Path> modules() {
        return list(ROOT)
                .filter(module -> module.getFileName().toString().startsWith("dormouse-"))
                .map(module -> module.resolve("src/main/java"))
                .filter(Files::isDirectory);
    }

    private static Stream<Path> list(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private record Parsed(DocTrees trees, List<CompilationUnitTree> units) {}

    private static Parsed parse(List<Path> paths) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        JavacTask task = (JavacTask) compiler.getTask(
                null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(paths));
        DocTrees trees = DocTrees.instance(task);
        List<CompilationUnitTree> units = new ArrayList<>();
        try {
            task.parse().forEach(units::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Parsed(trees, units);
    }

    /** The error codes that methods throw, read on first use. */
    private static final class Codes {
        static final ThrownCodes ALL = ThrownCodes.in(mainSources());
    }

    /** Reads one file. Without attribution, so types are compared by their text. */
    private static final class Reader extends TreePathScanner<Void, Void> {
        private final DocTrees trees;
        private final String packageName;
        private final List<ApiComment> comments;

        Reader(DocTrees trees, String packageName, List<ApiComment> comments) {
            this.trees = trees;
            this.packageName = packageName;
            this.comments = comments;
        }

        @Override
        public Void visitClass(ClassTree type, Void none) {
            if (!isVisible(type.getModifiers())) {
                return null;
            }
            String name = name(type.getSimpleName().toString());
            add(ApiElement.type(name, components(type)), name, source(type, null));
            return super.visitClass(type, none);
        }

        @Override
        public Void visitMethod(MethodTree method, Void none) {
            ClassTree type = parent();
            if (isVisible(method.getModifiers()) && !isCompactConstructor(method, type)) {
                add(element(method, type), owner(), source(method, method.getBody()));
            }
            return null;
        }

        @Override
        public Void visitVariable(VariableTree field, Void none) {
            if (isVisible(field.getModifiers()) || isEnumConstant(field)) {
                add(
                        ApiElement.constant(name(field.getName().toString())),
                        owner(),
                        source(field, field.getInitializer()));
            }
            return null;
        }

        private ApiElement element(MethodTree method, ClassTree type) {
            boolean constructor = method.getReturnType() == null;
            String result = constructor ? "" : method.getReturnType().toString();
            String own = type.getSimpleName().toString();
            boolean returnsOwn = result.equals(own) || result.startsWith(own + "<");
            return new ApiElement(
                    name(constructor ? own : method.getName().toString()) + parameters(method),
                    kind(constructor, type),
                    hasAnnotation(method.getModifiers(), "Override"),
                    !constructor && !result.equals("void") && !returnsOwn,
                    mentionsNull(method),
                    isOption(method, own, returnsOwn),
                    method.getThrows().stream()
                            .map(Object::toString)
                            .map(thrown -> thrown.substring(thrown.lastIndexOf('.') + 1))
                            .toList(),
                    Codes.ALL.of(own, method),
                    List.of());
        }

        private static boolean isOption(MethodTree method, String type, boolean returnsOwn) {
            boolean isSet = returnsOwn && type.matches(".*(Options|Policy|Settings|Builder)");
            boolean isRead = method.getParameters().isEmpty() && type.matches(".*(Options|Policy|Settings)");
            return (isSet || isRead)
                    && !method.getModifiers().getFlags().contains(Modifier.STATIC)
                    && !hasAnnotation(method.getModifiers(), "Override");
        }

        private static ApiElement.Kind kind(boolean constructor, ClassTree type) {
            if (constructor) {
                return ApiElement.Kind.CONSTRUCTOR;
            }
            return type.getKind() == Tree.Kind.ANNOTATION_TYPE
                    ? ApiElement.Kind.ANNOTATION_ELEMENT
                    : ApiElement.Kind.METHOD;
        }

        /** Varargs do not count: they are the arguments of a user's method, which decides if they can be null. */
        private static boolean mentionsNull(MethodTree method) {
            return hasAnnotation(method.getModifiers(), "Nullable")
                    || method.getReturnType() != null
                            && method.getReturnType().toString().startsWith("@Nullable")
                    || method.getParameters().stream()
                            .filter(parameter -> !parameter.toString().contains("..."))
                            .anyMatch(parameter -> hasAnnotation(parameter.getModifiers(), "Nullable"));
        }

        private List<String> components(ClassTree type) {
            return type.getKind() != Tree.Kind.RECORD || isForStores()
                    ? List.of()
                    : type.getMembers().stream()
                            .filter(member -> member instanceof VariableTree)
                            .map(member -> (VariableTree) member)
                            .filter(field -> !field.getModifiers().getFlags().contains(Modifier.STATIC))
                            .map(field -> field.getName().toString())
                            .toList();
        }

        /** Records of the store SPI and of a parsed DAG are read by their names, together with the code that fills them. */
        private boolean isForStores() {
            return packageName.startsWith("dev.dormouse.store") || packageName.equals("dev.dormouse.dag.model");
        }

        /** The compact constructor of a record has no parameter list in the source. */
        private boolean isCompactConstructor(MethodTree method, ClassTree type) {
            return method.getReturnType() == null
                    && type.getKind() == Tree.Kind.RECORD
                    && !source(method, method.getBody()).contains("(");
        }

        /** Returns the source text from the beginning of a tree to the beginning of a later one. */
        private String source(Tree from, Tree to) {
            CompilationUnitTree unit = getCurrentPath().getCompilationUnit();
            SourcePositions positions = trees.getSourcePositions();
            try {
                return unit.getSourceFile()
                        .getCharContent(true)
                        .subSequence(
                                (int) positions.getStartPosition(unit, from),
                                to == null
                                        ? (int) positions.getEndPosition(unit, from)
                                        : (int) positions.getStartPosition(unit, to))
                        .toString();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** Returns true if the element is public or protected, in a type that is visible itself. */
        private boolean isVisible(ModifiersTree modifiers) {
            ClassTree type = parent();
            boolean inInterface = type != null
                    && (type.getKind() == Tree.Kind.INTERFACE || type.getKind() == Tree.Kind.ANNOTATION_TYPE);
            Set<Modifier> flags = modifiers.getFlags();
            return inInterface && !flags.contains(Modifier.PRIVATE)
                    || flags.contains(Modifier.PUBLIC)
                    || flags.contains(Modifier.PROTECTED);
        }

        private boolean isEnumConstant(VariableTree field) {
            return parent().getKind() == Tree.Kind.ENUM
                    && field.getType() != null
                    && field.getType()
                            .toString()
                            .equals(parent().getSimpleName().toString())
                    && !field.getModifiers().getFlags().contains(Modifier.PRIVATE);
        }

        private static boolean hasAnnotation(ModifiersTree modifiers, String name) {
            return modifiers.getAnnotations().stream()
                    .map(AnnotationTree::getAnnotationType)
                    .anyMatch(type -> type.toString().endsWith(name));
        }

        private ClassTree parent() {
            for (TreePath path = getCurrentPath().getParentPath(); path != null; path = path.getParentPath()) {
                if (path.getLeaf() instanceof ClassTree type) {
                    return type;
                }
            }
            return null;
        }

        private String name(String simple) {
            StringBuilder name = new StringBuilder(simple);
            for (TreePath path = getCurrentPath().getParentPath(); path != null; path = path.getParentPath()) {
                if (path.getLeaf() instanceof ClassTree outer) {
                    name.insert(0, outer.getSimpleName() + ".");
                }
            }
            return packageName + "." + name;
        }

        /** Returns the name of the type that has the current element. */
        private String owner() {
            String name = name("");
            return name.substring(0, name.length() - 1);
        }

        private void add(ApiElement element, String type, String declaration) {
            String text = trees.getDocComment(getCurrentPath());
            comments.add(
                    new ApiComment(element, type, typeText(), Declaration.of(declaration), text == null ? "" : text));
        }

        private String typeText() {
            StringBuilder text = new StringBuilder();
            for (TreePath path = getCurrentPath(); path != null; path = path.getParentPath()) {
                if (path.getLeaf() instanceof ClassTree) {
                    text.append(trees.getDocComment(path)).append('\n');
                }
            }
            return text.toString();
        }
    }
}
