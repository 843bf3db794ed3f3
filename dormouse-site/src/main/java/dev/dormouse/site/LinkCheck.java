package dev.dormouse.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A check for broken links and anchors in the Markdown as GitHub shows it and in the pages of the site, and ids that
 * are not unique.
 */
final class LinkCheck {
    private static final Pattern ATTRIBUTE = Pattern.compile("<(\\w+)[^>]*?\\s(href|src)=\"([^\"]*)\"");
    private static final Pattern ID = Pattern.compile("\\sid=\"([^\"]*)\"");

    private LinkCheck() {}

    /** Returns the broken links of Markdown files, each with its file. */
    static List<String> markdown(Path root, Map<String, Page> pagesBySource) {
        List<String> mistakes = new ArrayList<>();
        for (Page page : pagesBySource.values()) {
            if (!page.isGenerated()) {
                Markdown.links(page.document(), link -> check(root, pagesBySource, page, link, mistakes));
            }
        }
        return mistakes;
    }

    private static void check(
            Path root, Map<String, Page> pagesBySource, Page page, String link, List<String> mistakes) {
        if (BodyRenderer.isOutside(link)) {
            return;
        }
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        String anchor = hash < 0 ? "" : link.substring(hash + 1);
        String path = file.isEmpty() ? page.source() : SitePaths.resolve(page.source(), file);
        if (path.startsWith("..") || !Files.exists(root.resolve(path))) {
            mistakes.add(page.source() + ": Expected a file for the link '" + link
                    + "', but there is none. Correct the link.");
            return;
        }
        Page target = pagesBySource.get(path);
        if (!anchor.isEmpty() && target != null && !target.hasAnchor(anchor)) {
            mistakes.add(page.source() + ": Expected a heading for the link '" + link + "', but " + path
                    + " has none with this anchor. Correct the link.");
        }
    }

    /**
     * Returns the broken links of the site, the ids that a page has twice, and what a page would load from another host.
     *
     * @param html the pages by their paths
     * @param others the other files of the site
     */
    static List<String> site(Map<String, String> html, Set<String> others) {
        Map<String, Set<String>> anchors = new HashMap<>();
        List<String> mistakes = new ArrayList<>();
        html.forEach((path, text) -> anchors.put(path, idsOf(path, text, mistakes)));
        html.forEach((path, text) -> {
            Matcher attribute = ATTRIBUTE.matcher(text);
            while (attribute.find()) {
                String link = attribute.group(3);
                if (BodyRenderer.isOutside(link)) {
                    if (!attribute.group(1).equals("a")) {
                        mistakes.add("site/" + path + ": Expected to load nothing from other hosts, but found '" + link
                                + "'.");
                    }
                } else if (!exists(path, link, anchors, others)) {
                    mistakes.add("site/" + path + ": Expected a page and an anchor for the link '" + link
                            + "', but it is broken.");
                }
            }
        });
        return mistakes;
    }

    private static boolean exists(String from, String link, Map<String, Set<String>> anchors, Set<String> others) {
        int hash = link.indexOf('#');
        String file = hash < 0 ? link : link.substring(0, hash);
        String path = file.isEmpty() ? from : SitePaths.resolve(from, file);
        Set<String> ids = anchors.get(path);
        if (ids == null) {
            return others.contains(path);
        }
        return hash < 0 || ids.contains(link.substring(hash + 1));
    }

    private static Set<String> idsOf(String path, String html, List<String> mistakes) {
        Set<String> ids = new HashSet<>();
        Matcher id = ID.matcher(html);
        while (id.find()) {
            if (!ids.add(id.group(1))) {
                mistakes.add("site/" + path + ": Expected one element with the id '" + id.group(1)
                        + "', but there are several. Rename the heading, or the part of the page.");
            }
        }
        return ids;
    }
}
