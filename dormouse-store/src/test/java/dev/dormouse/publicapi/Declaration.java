package dev.dormouse.publicapi;

import java.util.regex.Pattern;

/** The declarations of types, methods and fields, as they stand in {@code docs/api.txt}. */
final class Declaration {
    private static final Pattern COMMENT = Pattern.compile("/\\*.*?\\*/|//[^\n]*", Pattern.DOTALL);
    private static final Pattern IRRELEVANT =
            Pattern.compile("@(SuppressWarnings|Override)(\\(([^()]|\\([^()]*\\))*\\))?\\s*");

    private Declaration() {}

    /** Returns a declaration in one line: without comments, body and initial value, and with single spaces. */
    static String of(String source) {
        String text = IRRELEVANT.matcher(COMMENT.matcher(source).replaceAll("")).replaceAll("");
        return beforeBody(text)
                .replaceAll("\\s+", " ")
                .replaceAll("\\( ", "(")
                .replaceAll(" \\)", ")")
                .strip()
                .replaceAll("\\s*[=;,]$", "");
    }

    /** Returns the text before the first brace that is not in parentheses, as annotations have some. */
    private static String beforeBody(String text) {
        int depth = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (c == '{' && depth == 0) {
                return text.substring(0, i);
            }
        }
        return text;
    }
}
