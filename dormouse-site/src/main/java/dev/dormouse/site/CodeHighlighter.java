package dev.dormouse.site;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Simple syntax highlighting at build time: comments, strings, numbers, keywords, annotations. */
final class CodeHighlighter {
    private static final String STRINGS =
            "(?<string>\"\"\"[\\s\\S]*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)*')";
    private static final String REST =
            "|" + STRINGS + "|(?<annotation>@[A-Za-z]\\w*)|(?<number>\\b\\d[\\d_.]*\\b)|(?<word>[A-Za-z_][\\w]*)";

    private static final Set<String> JAVA = Set.of(
            ("abstract boolean break byte case catch char class continue default do double else enum extends final finally"
                            + " float for fun if implements import in instanceof int interface long native new null object"
                            + " override package private protected public record return sealed short static super suspend"
                            + " switch synchronized this throw throws true false try val var void volatile when while yield")
                    .split(" "));
    private static final Set<String> SQL = Set.of(
            ("add all alter and as asc authorization begin between by call case cast check commit constraint create cross"
                            + " database default delete desc distinct drop else end exists false for foreign from function"
                            + " grant group having if in index insert interval into is join key left like limit not null on"
                            + " or order outer primary references returning returns revoke right role rollback schema select"
                            + " set table then to true union unique update user using values view when where with")
                    .split(" "));
    private static final Set<String> SHELL =
            Set.of("if then else elif fi for in do done while case esac function export cd set".split(" "));
    private static final Set<String> JSON = Set.of("true", "false", "null");

    private record Language(Pattern tokens, Set<String> keywords, boolean ignoresCase) {}

    private static final Language JAVA_LIKE =
            new Language(Pattern.compile("(?<comment>//[^\\n]*|/\\*[\\s\\S]*?\\*/)" + REST), JAVA, false);
    private static final Language SHELL_LIKE =
            new Language(Pattern.compile("(?<comment>(?<![^\\s])#[^\\n]*)" + REST), SHELL, false);
    private static final Language XML_LIKE = new Language(
            Pattern.compile("(?<comment><!--[\\s\\S]*?-->)|" + STRINGS
                    + "|(?<annotation></?[A-Za-z][\\w.:-]*|/?>)|(?<number>(?!))|(?<word>(?!))"),
            Set.of(),
            false);
    private static final Map<String, Language> LANGUAGES = Map.of(
            "java", JAVA_LIKE,
            "kotlin", JAVA_LIKE,
            "kt", JAVA_LIKE,
            "sql", new Language(Pattern.compile("(?<comment>--[^\\n]*|/\\*[\\s\\S]*?\\*/)" + REST), SQL, true),
            "sh", SHELL_LIKE,
            "console", SHELL_LIKE,
            "yaml", SHELL_LIKE,
            "json", new Language(Pattern.compile("(?<comment>(?!))" + REST), JSON, false),
            "xml", XML_LIKE);

    private CodeHighlighter() {}

    /** Returns the code as HTML. A {@code language} that is not known is only escaped. */
    static String html(String code, String language) {
        Language known = LANGUAGES.get(language);
        if (known == null) {
            return Html.escape(code);
        }
        StringBuilder html = new StringBuilder();
        Matcher token = known.tokens().matcher(code);
        int at = 0;
        while (token.find()) {
            html.append(Html.escape(code.substring(at, token.start())));
            String kind = kind(token, known);
            String text = Html.escape(token.group());
            html.append(kind.isEmpty() ? text : "<span class=\"hl-" + kind + "\">" + text + "</span>");
            at = token.end();
        }
        return html.append(Html.escape(code.substring(at))).toString();
    }

    private static String kind(Matcher token, Language language) {
        for (String group : new String[] {"comment", "string", "annotation", "number"}) {
            if (token.group(group) != null) {
                return group;
            }
        }
        String word = language.ignoresCase() ? token.group().toLowerCase(java.util.Locale.ROOT) : token.group();
        return language.keywords().contains(word) ? "keyword" : "";
    }
}
