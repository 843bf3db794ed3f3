package dev.dormouse.site;

import java.util.List;
import org.commonmark.node.Node;

/**
 * A page of the site that was written in Markdown.
 *
 * @param source the path of the Markdown file below the repository, or where it would be if the page is generated
 * @param output the path of the HTML file below the site
 * @param group the navigation group
 * @param title the first heading, without markup
 * @param label the short title for the navigation
 * @param summary one line for llms.txt and search engines
 * @param markdown the text
 * @param document the parsed text
 * @param headings all headings in order
 * @param isGenerated true if there is no such file in the repository
 */
record Page(
        String source,
        String output,
        String group,
        String title,
        String label,
        String summary,
        String markdown,
        Node document,
        List<Heading> headings,
        boolean isGenerated) {

    /**
     * A heading of a page.
     *
     * @param level 1 to 6
     * @param text the text without markup
     * @param anchor the id on the site and on GitHub
     */
    record Heading(int level, String text, String anchor) {}

    /** Returns true if a heading of the page has this anchor. */
    boolean hasAnchor(String anchor) {
        return headings.stream().anyMatch(heading -> heading.anchor().equals(anchor));
    }
}
