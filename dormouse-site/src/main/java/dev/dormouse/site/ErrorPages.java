package dev.dormouse.site;

import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Explanation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The pages of the error codes, as Markdown: one for each code and a list. Their texts are those of {@link Explanation},
 * which {@code dormouse explain} prints too.
 */
final class ErrorPages {
    private static final Map<Character, String> RANGES = new LinkedHashMap<>();

    static {
        RANGES.put('1', "Use of the library");
        RANGES.put('2', "The store");
        RANGES.put('3', "Runs");
        RANGES.put('4', "Replay");
        RANGES.put('5', "The test kit");
        RANGES.put('6', "The server");
    }

    private ErrorPages() {}

    /** Returns the list of codes, then the page of each code. */
    static List<Page> all() {
        List<Page> pages = new ArrayList<>();
        pages.add(Markdown.page(
                "docs/errors/README.md",
                "errors/index.html",
                SitePlan.ERRORS,
                "All error codes",
                "Every error code with its meaning; each has a page of its own.",
                list(),
                true));
        for (ErrorCode code : ErrorCode.values()) {
            pages.add(Markdown.page(
                    "docs/errors/" + code.label() + ".md",
                    "errors/" + code.label() + ".html",
                    SitePlan.ERRORS,
                    code.label() + " " + name(code),
                    Explanation.of(code).meaning(),
                    page(code),
                    true));
        }
        return pages;
    }

    private static String list() {
        StringBuilder text = new StringBuilder("# Error codes\n\nEvery message of Dormouse begins with a code, such as "
                + "`[DM1003]`. Codes never change, so programs can decide by `DormouseException.code()`. "
                + "`dormouse explain DM1003` prints the same text on the command line.\n");
        RANGES.forEach((digit, title) -> {
            text.append("\n## ")
                    .append(digit)
                    .append("xxx: ")
                    .append(title)
                    .append("\n\n| code | meaning |\n| --- | --- |\n");
            for (ErrorCode code : ErrorCode.values()) {
                if (code.label().charAt(2) == digit) {
                    text.append("| [")
                            .append(code.label())
                            .append("](")
                            .append(code.label())
                            .append(".md) | ");
                    text.append(prose(Explanation.of(code).meaning())).append(" |\n");
                }
            }
        });
        return text.toString();
    }

    private static String page(ErrorCode code) {
        Explanation text = Explanation.of(code);
        return "# " + code.label() + ": " + name(code) + "\n\n" + prose(text.meaning())
                + "\n\n## When it happens\n\n" + prose(text.when())
                + "\n\n## Example message\n\n```message\n" + text.example() + "\n```"
                + "\n\n## What to do\n\n" + prose(text.whatToDo())
                + "\n\nIn Java: `ErrorCode." + code.name() + "`. On the command line: `dormouse explain " + code.label()
                + "`. All codes: [error codes](README.md).\n";
    }

    private static String name(ErrorCode code) {
        return code.name()
                .toLowerCase(Locale.ROOT)
                .replace('_', ' ')
                .replace("json", "JSON")
                .replace("dag", "DAG");
    }

    /** Returns plain text as Markdown: commands in quotes and calls become code, and nothing else is markup. */
    static String prose(String text) {
        StringBuilder out = new StringBuilder();
        java.util.regex.Matcher code = CODE.matcher(text);
        int at = 0;
        while (code.find()) {
            out.append(escape(text.substring(at, code.start())));
            String quoted = code.group(1);
            out.append('`').append(quoted == null ? code.group() : quoted).append('`');
            at = code.end();
        }
        return out.append(escape(text.substring(at))).toString();
    }

    private static final java.util.regex.Pattern CODE = java.util.regex.Pattern.compile(
            "'(dormouse [^']+)'|@?[A-Za-z][\\w.]*\\([^()]*(?:\\([^()]*\\)[^()]*)*\\)(?:\\.\\w+\\([^()]*\\))*|@[A-Z]\\w+"
                    + "|\\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\\b|--[a-z][a-z-]+|\\b[A-Z]+_[A-Z_]+\\b|/openapi\\.json");

    private static String escape(String text) {
        return text.replaceAll("([\\\\`*_<\\[\\]|])", "\\\\$1");
    }
}
