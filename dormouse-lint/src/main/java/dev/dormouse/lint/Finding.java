package dev.dormouse.lint;

import java.util.List;
import java.util.Locale;

/**
 * A place in workflow code that breaks a rule.
 *
 * @param rule the rule
 * @param className the binary name of the class with the place, such as {@code com.acme.Orders$Line}; for
 *     {@link Rule#UNREADABLE}, the path of the class file
 * @param method the name of the method with the place; a place in a lambda belongs to the method around it. Constructors
 *     are {@code <init>}, static initializers {@code <clinit>}. Empty for {@link Rule#UNREADABLE}
 * @param file the name of the source file, or empty if the class file does not contain it
 * @param line the line in the source file, or 0 if the class file does not contain line numbers
 * @param found what the code calls or uses, such as {@code java.time.Instant.now}
 * @param path the calls from the workflow method to {@code method}, as {@code class.method}: the first element is the
 *     workflow method, the last is {@code method}. Has one element if the place is in the workflow method itself
 */
public record Finding(
        Rule rule, String className, String method, String file, int line, String found, List<String> path) {

    /** Copies the path. */
    public Finding {
        path = List.copyOf(path);
    }

    /** Returns the severity of the rule. */
    public Severity severity() {
        return rule.severity();
    }

    /**
     * Returns the place in the form of a stack trace, which IDEs turn into a link:
     * {@code com.acme.Orders.run(Orders.java:17)}.
     */
    public String location() {
        String source = file.isEmpty() ? "" : "(" + file + (line == 0 ? "" : ":" + line) + ")";
        return name() + source;
    }

    /** Returns the place, the severity, the rule, what was found, what goes wrong and what to do, in one line. */
    @Override
    public String toString() {
        String way = path.size() < 2 ? "" : " Called by " + String.join(" > ", path.subList(0, path.size() - 1)) + ".";
        return location() + ": " + severity().name().toLowerCase(Locale.ROOT) + " " + rule + ": " + found + ". "
                + rule.reason() + " " + rule.advice() + way;
    }

    /** Returns the class and the method. */
    String name() {
        return method.isEmpty() ? className : className + "." + method;
    }
}
