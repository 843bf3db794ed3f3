package dev.dormouse.server.http;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A JavaScript module and all modules that it imports, as one script.
 *
 * <p>Each module becomes a function that returns its exports, after the modules that it imports. Lines are kept, so
 * that the {@linkplain #sourceMap() source map} is only a list of offsets. The bundle supports the part of the language
 * that the dashboard uses:
 *
 * <ul>
 *   <li>{@code import {a, b as c} from './x.js'} at the start of a line
 *   <li>{@code export} before {@code const}, {@code function}, {@code async function} and {@code class}
 *   <li>{@code export {a, b as c}}, with and without {@code from './x.js'}
 * </ul>
 *
 * Other imports and exports, circular imports and imports of unknown names are errors. Exports must not be reassigned.
 */
final class ModuleBundle {
    private static final String LIST = "\\s*\\{([^}]*)}";
    private static final String FROM = "\\s*from\\s*[\"']([^\"']+)[\"'];?";
    private static final Pattern IMPORT = Pattern.compile("^import" + LIST + FROM, Pattern.MULTILINE);
    private static final Pattern PASSED_ON = Pattern.compile("^export" + LIST + FROM, Pattern.MULTILINE);
    private static final Pattern LISTED = Pattern.compile("(?<=^|[;}])export" + LIST + ";?", Pattern.MULTILINE);
    private static final Pattern DECLARED =
            Pattern.compile("^export ((?:const|class|(?:async )?function) ([\\w$]+))", Pattern.MULTILINE);
    private static final Pattern UNKNOWN = Pattern.compile("^\\s*(?:import\\b(?!\\.)|export\\b).*", Pattern.MULTILINE);
    private static final Pattern OTHER_MAP = Pattern.compile("^//# sourceMappingURL=.*", Pattern.MULTILINE);

    /**
     * A module: the variable that holds its exports, its exported names, its first line in the bundle and its length.
     */
    private record Module(String variable, Map<String, String> exports, int line, int lines) {}

    private final UnaryOperator<String> read;
    private final Map<String, Module> modules = new LinkedHashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final StringBuilder text = new StringBuilder();
    private int lines;

    /**
     * Bundles a module.
     *
     * @param entry the path of the first module
     * @param read returns the text of a module, given its path
     * @throws IllegalStateException if a module uses unsupported syntax
     */
    ModuleBundle(String entry, UnaryOperator<String> read) {
        this.read = read;
        add(entry);
        text.append("//# sourceMappingURL=").append(entry).append(".map\n");
    }

    String text() {
        return text.toString();
    }

    /** Returns the source map, with paths relative to the folder above the bundle. */
    String sourceMap() {
        List<String> sections = new ArrayList<>();
        modules.forEach((path, module) ->
                sections.add("""
                {"offset":{"line":%d,"column":0},"map":{"version":3,"sources":["../%s"],"names":[],"mappings":"AAAA%s"}}""".formatted(module.line(), path, ";AACA".repeat(module.lines() - 1))));
        return "{\"version\":3,\"sections\":[" + String.join(",", sections) + "]}";
    }

    private Module add(String path) {
        Module known = modules.get(path);
        if (known != null) {
            return known;
        }
        if (open.contains(path)) {
            throw new IllegalStateException("Expected imports without cycles, but found " + open + " and " + path);
        }
        open.addLast(path);
        Map<String, String> exports = new LinkedHashMap<>();
        String body = OTHER_MAP.matcher(read.apply(path)).replaceAll("");
        body = replace(IMPORT, body, found -> imported(path, found));
        body = replace(PASSED_ON, body, found -> passedOn(path, found, exports));
        body = replace(LISTED, body, found -> listed(found, exports));
        body = replace(DECLARED, body, found -> declared(found, exports));
        Matcher unknown = UNKNOWN.matcher(body);
        if (unknown.find()) {
            throw new IllegalStateException("Expected an import or export that " + ModuleBundle.class.getSimpleName()
                    + " describes, but found in " + path + ": "
                    + unknown.group().strip());
        }
        open.removeLast();
        return append(path, body, exports);
    }

    private Module append(String path, String body, Map<String, String> exports) {
        int length = (int) body.chars().filter(c -> c == '\n').count() + 1;
        Module module = new Module("$$" + modules.size(), exports, lines, length);
        String returned = exports.entrySet().stream()
                .map(export -> export.getKey() + ": " + export.getValue())
                .collect(Collectors.joining(", "));
        text.append("const ")
                .append(module.variable())
                .append(" = (() => { ")
                .append(body)
                .append('\n');
        text.append("return {").append(returned).append("}; })();\n");
        lines += length + 1;
        modules.put(path, module);
        return module;
    }

    private String imported(String path, MatchResult found) {
        Module from = add(resolve(path, found.group(2)));
        List<String> names = new ArrayList<>();
        names(found.group(1)).forEach((local, name) -> {
            exportOf(from, name, path);
            names.add(name + ": " + local);
        });
        return "const {" + String.join(", ", names) + "} = " + from.variable() + ";" + breaks(found);
    }

    private String passedOn(String path, MatchResult found, Map<String, String> exports) {
        Module from = add(resolve(path, found.group(2)));
        names(found.group(1))
                .forEach((exported, name) -> exports.put(exported, from.variable() + "." + exportOf(from, name, path)));
        return breaks(found);
    }

    private static String listed(MatchResult found, Map<String, String> exports) {
        exports.putAll(names(found.group(1)));
        return breaks(found);
    }

    private static String declared(MatchResult found, Map<String, String> exports) {
        exports.put(found.group(2), found.group(2));
        return found.group(1);
    }

    private static String exportOf(Module from, String name, String path) {
        if (!from.exports().containsKey(name)) {
            throw new IllegalStateException(
                    "Expected an export of the name that " + path + " imports, but there is no " + name);
        }
        return name;
    }

    /** Returns the names before {@code as}, by the names after it. */
    private static Map<String, String> names(String list) {
        Map<String, String> names = new LinkedHashMap<>();
        for (String item : list.strip().split("\\s*,\\s*")) {
            String[] parts = item.split("\\s+as\\s+");
            names.put(parts[parts.length - 1], parts[0]);
        }
        return names;
    }

    /** Returns the line breaks of the match, so that the number of lines is kept. */
    private static String breaks(MatchResult found) {
        return found.group().replaceAll("[^\n]", "");
    }

    private static String resolve(String path, String relative) {
        String folder = path.substring(0, path.lastIndexOf('/') + 1);
        return java.net.URI.create("/" + folder).resolve(relative).getPath().substring(1);
    }

    private interface Replacement {
        String of(MatchResult found);
    }

    private static String replace(Pattern pattern, String text, Replacement replacement) {
        return pattern.matcher(text).replaceAll(found -> Matcher.quoteReplacement(replacement.of(found)));
    }
}
