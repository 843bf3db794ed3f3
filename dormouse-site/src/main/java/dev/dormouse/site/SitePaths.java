package dev.dormouse.site;

import java.nio.file.Path;
import java.util.Locale;

/** Paths of the repository and of the site, always with slashes. */
final class SitePaths {
    private SitePaths() {}

    /** Returns the HTML file of a Markdown file: docs/timers.md becomes timers.html, and a README index.html. */
    static String outputOf(String source) {
        String path = source.startsWith("docs/") ? source.substring("docs/".length()) : source.toLowerCase(Locale.ROOT);
        if (path.equalsIgnoreCase("readme.md")) {
            return "index.html";
        }
        return path.endsWith("/README.md")
                ? path.substring(0, path.length() - "README.md".length()) + "index.html"
                : path.substring(0, path.length() - ".md".length()) + ".html";
    }

    /** Returns the place of a picture or another file that is copied. */
    static String assetOf(String source) {
        return source.startsWith("docs/") ? source.substring("docs/".length()) : source;
    }

    /** Returns the path that a link in {@code source} means, below the repository; it may lead out of it. */
    static String resolve(String source, String link) {
        Path parent = Path.of(source).getParent();
        Path target = (parent == null ? Path.of("") : parent).resolve(link).normalize();
        return slashed(target);
    }

    /** Returns the link from one file of the site to another. */
    static String relative(String from, String to) {
        Path parent = Path.of(from).getParent();
        return parent == null ? to : slashed(parent.relativize(Path.of(to)));
    }

    static String slashed(Path path) {
        return path.toString().replace('\\', '/');
    }
}
