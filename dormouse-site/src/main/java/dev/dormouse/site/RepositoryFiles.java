package dev.dormouse.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The repository's files that pages link to, other than pages: pictures are copied, source files and folders of them are
 * shown as pages of their own below source/. Not thread-safe.
 */
final class RepositoryFiles {
    private static final Set<String> COPIED = Set.of("png", "svg", "jpg", "webp");
    private static final Set<String> SHOWN =
            Set.of("java", "kt", "json", "sql", "xml", "yaml", "yml", "properties", "sh", "txt", "md", "");

    private final Path root;
    private final Map<String, Path> copies = new TreeMap<>();
    private final Map<String, String> shown = new TreeMap<>();
    private final Deque<String> open = new ArrayDeque<>();

    RepositoryFiles(Path root) {
        this.root = root;
    }

    /** Returns the place on the site of a file or folder that a page links to. */
    String add(String path) {
        if (COPIED.contains(extension(path))) {
            copies.put(SitePaths.assetOf(path), root.resolve(path));
            return SitePaths.assetOf(path);
        }
        boolean isFolder = Files.isDirectory(root.resolve(path));
        String output = "source/" + path + (isFolder ? "/index.html" : ".html");
        if (shown.putIfAbsent(output, path) == null) {
            open.add(output);
        }
        return output;
    }

    /** Returns the files to copy by their place on the site. */
    Map<String, Path> copies() {
        return copies;
    }

    /** Returns the titles and bodies of the pages that show source, by their place on the site. */
    Map<String, Shown> pages() {
        Map<String, Shown> pages = new LinkedHashMap<>();
        while (!open.isEmpty()) {
            String output = open.remove();
            String path = String.valueOf(shown.get(output));
            pages.put(output, Files.isDirectory(root.resolve(path)) ? folder(path, output) : file(path));
        }
        return pages;
    }

    /** A page that shows source. */
    record Shown(String path, String body) {}

    private Shown file(String path) {
        String language = extension(path);
        return new Shown(
                path,
                "<h1 class=\"path\">" + Html.escape(path) + "</h1>\n<pre><code class=\"language-" + language + "\">"
                        + CodeHighlighter.html(read(root.resolve(path)), language) + "</code></pre>\n");
    }

    private Shown folder(String path, String output) {
        StringBuilder body = new StringBuilder("<h1 class=\"path\">" + Html.escape(path) + "</h1>\n<ul>\n");
        for (String file : filesBelow(path)) {
            body.append("<li><a href=\"")
                    .append(Html.escape(SitePaths.relative(output, add(file))))
                    .append("\">")
                    .append(Html.escape(file.substring(path.length() + 1)))
                    .append("</a></li>\n");
        }
        return new Shown(path, body.append("</ul>\n").toString());
    }

    private List<String> filesBelow(String path) {
        try (Stream<Path> files = Files.walk(root.resolve(path))) {
            return files.filter(Files::isRegularFile)
                    .map(file -> SitePaths.slashed(root.relativize(file)))
                    .filter(file -> SHOWN.contains(extension(file)) && !file.contains("/target/"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String extension(String path) {
        String name = path.substring(path.lastIndexOf('/') + 1);
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot + 1).toLowerCase(Locale.ROOT);
    }

    static String read(Path file) {
        try {
            return Files.readString(file).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
