package dev.dormouse.site;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.commonmark.node.Heading;
import org.commonmark.node.Node;
import tools.jackson.databind.json.JsonMapper;

/**
 * The index of the client's search: the sections of all pages. It is JSON in a script, because a browser does not fetch
 * JSON if the site is opened from a folder.
 */
final class SearchIndex {
    static final String FILE = "search-index.js";

    private SearchIndex() {}

    /**
     * A section of a page.
     *
     * @param p the label of the page
     * @param g its group
     * @param h the heading, empty for the beginning of the page
     * @param u the URL relative to the site
     * @param t the text
     */
    record Section(String p, String g, String h, String u, String t) {}

    /** Returns the script. */
    static String script(List<Page> pages) {
        List<Section> sections = new ArrayList<>();
        pages.forEach(page -> add(page, sections));
        return "window.dormouseSearchIndex = " + JsonMapper.builder().build().writeValueAsString(sections) + ";\n";
    }

    private static void add(Page page, List<Section> sections) {
        Iterator<Page.Heading> headings = page.headings().iterator();
        String heading = "";
        String url = page.output();
        StringBuilder text = new StringBuilder();
        for (Node node = page.document().getFirstChild(); node != null; node = node.getNext()) {
            if (node instanceof Heading) {
                Page.Heading next = headings.next();
                if (next.level() > 1) {
                    flush(page, heading, url, text, sections);
                    heading = next.text();
                    url = page.output() + "#" + next.anchor();
                }
            } else {
                text.append(Markdown.text(node)).append(' ');
            }
        }
        flush(page, heading, url, text, sections);
    }

    private static void flush(Page page, String heading, String url, StringBuilder text, List<Section> sections) {
        String words = text.toString().replaceAll("\\s+", " ").strip();
        sections.add(new Section(page.label(), page.group(), heading, url, words));
        text.setLength(0);
    }
}
