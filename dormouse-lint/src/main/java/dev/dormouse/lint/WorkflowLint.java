package dev.dormouse.lint;

import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.lint.WorkflowEntries.Entry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A check of compiled workflow code for calls that a replay cannot repeat: clocks, randomness, threads, I/O, and more;
 * see {@link Rule}. In a test:
 *
 * <pre>{@code
 * @Test
 * void workflowCanBeReplayed() {
 *     WorkflowLint.ofClasses(OrderWorkflow.class).check();
 * }
 * }</pre>
 *
 * <p>Workflow code is
 *
 * <ul>
 *   <li>a class that implements an interface with {@code @WorkflowInterface}: its workflow, signal, update, query and
 *       init methods, and its constructors
 *   <li>a lambda, a method reference or a class that is a {@code WorkflowFunction}
 *   <li>the methods and lambdas of the same jars and folders that this code calls
 * </ul>
 *
 * <p>Steps, transactions and activities are not checked: they may do all this. The body of a step is recognized if it is
 * written as a {@code StepFunction}, {@code StepAction}, {@code TransactionFunction} or {@code TransactionAction}. A lambda
 * of another type, such as {@code Supplier}, counts as workflow code where it is created.
 *
 * <p>The check reads class files and never loads or runs them. It does not see calls by reflection, code in jars that it
 * was not given, and what libraries do. No finding is therefore not a proof; replays in tests find the rest. Immutable
 * and thread-safe.
 */
public final class WorkflowLint {
    private static final Comparator<Finding> ORDER = Comparator.comparing(Finding::severity)
            .thenComparing(Finding::className)
            .thenComparing(Finding::line)
            .thenComparing(Finding::method)
            .thenComparing(Finding::rule)
            .thenComparing(Finding::found);

    private final List<Finding> all;
    private final List<String> workflows;
    private final List<Acceptance> accepted;

    private WorkflowLint(List<Finding> all, List<String> workflows, List<Acceptance> accepted) {
        this.all = all;
        this.workflows = workflows;
        this.accepted = accepted;
    }

    /**
     * Checks all workflows in jars and folders of classes.
     *
     * @throws DormouseException BAD_ARGUMENT if there is no path, or if one is missing, is not a jar or a folder, or
     *     contains no class
     */
    public static WorkflowLint of(Path... paths) {
        ClassFiles files = read(new LinkedHashSet<>(required(paths, "a jar or a folder of classes")));
        ScannedClasses classes = files.classes();
        return walk(files, classes, new WorkflowEntries(classes).all());
    }

    /**
     * Checks the workflows of some classes. Calls are followed into the jars and folders of these classes and of their
     * supertypes. A class can be
     *
     * <ul>
     *   <li>a workflow implementation
     *   <li>an interface or a class with workflow implementations below it, in the same jar or folder
     *   <li>a class with workflow functions in it
     * </ul>
     *
     * @throws DormouseException BAD_ARGUMENT if there is no class, if one does not contain workflow code, or if one is
     *     not in a jar or a folder
     */
    public static WorkflowLint ofClasses(Class<?>... types) {
        Set<Path> paths = new LinkedHashSet<>();
        List<Class<?>> wanted = required(types, "a class with workflow code");
        wanted.forEach(type -> paths.addAll(LoadedClasses.paths(type)));
        ClassFiles files = read(paths);
        ScannedClasses classes = files.classes();
        List<Entry> present = new WorkflowEntries(classes).all();
        Set<Entry> chosen = new LinkedHashSet<>();
        for (Class<?> type : wanted) {
            List<Entry> found = present.stream()
                    .filter(entry -> isIn(entry, type.getName(), classes))
                    .toList();
            if (found.isEmpty()) {
                throw new DormouseException(
                        ErrorCode.BAD_ARGUMENT,
                        "Expected a class with workflow code, but " + type.getName()
                                + " neither implements an interface with @WorkflowInterface nor contains a workflow "
                                + "function. Name the class of the implementation.");
            }
            chosen.addAll(found);
        }
        return walk(files, classes, List.copyOf(chosen));
    }

    private static boolean isIn(Entry entry, String type, ScannedClasses classes) {
        String home = entry.home().label();
        return home.startsWith(type + "$")
                || classes.withSupertypes(entry.home().name()).contains(type.replace('.', '/'));
    }

    private static ClassFiles read(Set<Path> paths) {
        ClassFiles files = new ClassFiles();
        paths.forEach(files::read);
        return files;
    }

    private static WorkflowLint walk(ClassFiles files, ScannedClasses classes, List<Entry> entries) {
        Set<ScannedMethod> methods = entries.stream()
                .flatMap(entry -> entry.methods().stream())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        List<Finding> findings = new ArrayList<>(files.unreadable());
        findings.addAll(new CodeWalk(classes).from(methods));
        findings.sort(ORDER);
        List<String> workflows = entries.stream()
                .map(entry -> entry.home().label())
                .distinct()
                .sorted()
                .toList();
        return new WorkflowLint(List.copyOf(findings), workflows, List.of());
    }

    private static <T> List<T> required(T @Nullable [] values, String kind) {
        if (values == null || values.length == 0 || Arrays.asList(values).contains(null)) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected " + kind + ", but got " + (values == null ? "null" : Arrays.toString(values))
                            + ". Pass at least one, and no null.");
        }
        return List.of(values);
    }

    /**
     * Returns a check that leaves out some findings. Each is written as {@code RULE:class.method}, with the binary name
     * of the class: {@code CLOCK:com.acme.Orders.run}. An asterisk at the end stands for anything:
     * {@code IO:com.acme.legacy.*}.
     *
     * @throws DormouseException BAD_ARGUMENT if a text does not have this form, or if there is no such rule
     */
    public WorkflowLint accept(String... findings) {
        List<Acceptance> more = new ArrayList<>(accepted);
        required(findings, "a finding to accept").forEach(text -> more.add(Acceptance.parse(text)));
        return new WorkflowLint(all, workflows, List.copyOf(more));
    }

    /** Returns the findings that are not accepted: errors first, then by class and line. */
    public List<Finding> findings() {
        return all.stream()
                .filter(finding -> accepted.stream().noneMatch(acceptance -> acceptance.includes(finding)))
                .toList();
    }

    /** Returns the binary names of the classes that were checked: workflow implementations and classes with functions. */
    public List<String> workflows() {
        return workflows;
    }

    /**
     * Throws if there is an error that is not accepted. The message lists all findings, warnings included. Warnings alone
     * do not throw: use {@link #findings} to test for them.
     *
     * @throws DormouseException NOT_DETERMINISTIC with the findings; BAD_ARGUMENT if there is no workflow to check
     */
    public void check() {
        List<Finding> findings = findings();
        long errors = findings.stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .count();
        if (errors > 0) {
            throw new DormouseException(
                    ErrorCode.NOT_DETERMINISTIC,
                    Stream.concat(
                                    Stream.of(
                                            "Expected workflow code that a replay can repeat, but found "
                                                    + (errors == 1 ? "1 error." : errors + " errors.")
                                                    + " Change the code, or accept a place with accept(\"RULE:class.method\")."),
                                    findings.stream().map(Finding::toString))
                            .collect(Collectors.joining(System.lineSeparator() + "  ")));
        }
        if (workflows.isEmpty()) {
            throw new DormouseException(
                    ErrorCode.BAD_ARGUMENT,
                    "Expected workflow code to check, but the jars and folders contain none. Name those with the "
                            + "implementations of your workflows and with their interfaces.");
        }
    }
}
