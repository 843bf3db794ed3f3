package dev.dormouse.site;

import java.util.List;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;

/** The files llms.txt and llms-full.txt: the documentation for language models. */
final class LlmsText {
    private LlmsText() {}

    /** Returns what Dormouse is, the smallest program, and the pages with one line each. */
    static String summary(List<String> groups, List<Page> pages) {
        Page start = pages.get(0);
        StringBuilder text = new StringBuilder("# Dormouse\n\n> " + first(start, Paragraph.class) + "\n\n");
        text.append("The smallest program:\n\n```java\n")
                .append(first(start, FencedCodeBlock.class))
                .append("```\n\n");
        text.append(
                        "All pages in one file: [llms-full.txt](llms-full.txt). Each error message begins with a code such as ")
                .append("[DM1003]; its page is errors/DM1003.html.\n");
        for (String group : groups) {
            text.append("\n## ").append(group).append("\n\n");
            pages.stream()
                    .filter(page -> page.group().equals(group))
                    .forEach(page -> text.append("- [")
                            .append(page.label())
                            .append("](")
                            .append(page.output())
                            .append(page.summary().isEmpty() ? ")" : "): " + page.summary())
                            .append('\n'));
        }
        return text.toString();
    }

    /** Returns the Markdown of all pages except the decision records and the changelog. */
    static String full(List<Page> pages) {
        StringBuilder text = new StringBuilder();
        pages.stream()
                .filter(page -> !page.group().equals(SitePlan.DECISIONS)
                        && !page.source().equals("CHANGELOG.md"))
                .forEach(page -> text.append("<!-- ")
                        .append(page.output())
                        .append(" -->\n\n")
                        .append(page.markdown().strip())
                        .append("\n\n"));
        return text.toString();
    }

    private static String first(Page page, Class<? extends Node> type) {
        for (Node node = page.document().getFirstChild(); node != null; node = node.getNext()) {
            boolean isJava = !(node instanceof FencedCodeBlock block) || "java".equals(block.getInfo());
            if (type.isInstance(node) && isJava) {
                return node instanceof FencedCodeBlock block ? block.getLiteral() : Markdown.text(node);
            }
        }
        throw new SiteProblem(
                List.of(page.source() + ": Expected a " + (type == Paragraph.class ? "paragraph" : "Java program")
                        + " for llms.txt, but there is none. Add one."));
    }
}
