package dev.dormouse.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The generator of the documentation site. */
public final class SiteGenerator {
    private static final List<String> RESOURCES = List.of("site.css", "site.js", "theme.js", "icon.svg");

    private final Path root;
    private final @Nullable Path javadoc;
    private final String repository;

    /**
     * Creates a generator.
     *
     * @param root the folder of the repository
     * @param javadoc a folder with Javadoc that becomes part of the site; null for none
     * @param repository the URL that edit links begin with; empty for none
     */
    public SiteGenerator(Path root, @Nullable Path javadoc, String repository) {
        this.root = root;
        this.javadoc = javadoc != null && Files.exists(javadoc.resolve("index.html")) ? javadoc : null;
        this.repository = repository;
    }

    /**
     * Writes the site.
     *
     * @param arguments the folder of the repository, the folder of the site, optionally a folder with Javadoc and the URL
     *     that edit links begin with
     */
    public static void main(String... arguments) {
        Path javadoc = arguments.length < 3 || arguments[2].isEmpty() ? null : Path.of(arguments[2]);
        SiteGenerator generator =
                new SiteGenerator(Path.of(arguments[0]), javadoc, arguments.length < 4 ? "" : arguments[3]);
        try {
            generator.write(Path.of(arguments[1]));
        } catch (SiteProblem problem) {
            System.err.println(problem.getMessage());
            System.exit(1);
        }
    }

    /** Writes the site to a folder, which is emptied first. Throws a {@link SiteProblem} on a mistake in the documentation. */
    public void write(Path site) {
        SitePlan plan = SitePlan.read(root);
        List<String> mistakes = plan.mistakes(root);
        if (!mistakes.isEmpty()) {
            throw new SiteProblem(mistakes);
        }
        List<Page> pages = pages(plan);
        Map<String, Page> bySource = new LinkedHashMap<>();
        pages.forEach(page -> bySource.put(page.source(), page));
        mistakes.addAll(LinkCheck.markdown(root, bySource));
        if (!mistakes.isEmpty()) {
            throw new SiteProblem(mistakes);
        }
        RepositoryFiles files = new RepositoryFiles(root);
        Map<String, String> html = html(plan, pages, bySource, files);
        Set<String> others = new LinkedHashSet<>(RESOURCES);
        others.addAll(List.of("llms.txt", "llms-full.txt", SearchIndex.FILE));
        others.addAll(files.copies().keySet());
        if (javadoc != null) {
            others.add("javadoc/index.html");
        }
        mistakes.addAll(LinkCheck.site(html, others));
        if (!mistakes.isEmpty()) {
            throw new SiteProblem(mistakes);
        }
        try {
            delete(site);
            for (Map.Entry<String, String> page : html.entrySet()) {
                write(site.resolve(page.getKey()), page.getValue());
            }
            write(site.resolve(SearchIndex.FILE), SearchIndex.script(pages));
            write(site.resolve("llms.txt"), LlmsText.summary(plan.groups(), pages));
            write(site.resolve("llms-full.txt"), LlmsText.full(pages));
            copy(files, site);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns all pages in the order of the navigation. */
    private List<Page> pages(SitePlan plan) {
        List<Page> pages = new ArrayList<>();
        for (String group : plan.groups()) {
            for (SitePlan.Entry entry : plan.entries()) {
                if (entry.group().equals(group)) {
                    pages.add(page(entry.file(), group, entry.label(), entry.summary()));
                }
            }
            if (group.equals(SitePlan.ERRORS)) {
                pages.addAll(ErrorPages.all());
            } else if (group.equals(SitePlan.DECISIONS)) {
                SitePlan.decisions(root).forEach(file -> pages.add(page(file, group, "", "")));
            }
        }
        return pages;
    }

    private Page page(String file, String group, String label, String summary) {
        return Markdown.page(
                file, SitePaths.outputOf(file), group, label, summary, RepositoryFiles.read(root.resolve(file)), false);
    }

    private Map<String, String> html(
            SitePlan plan, List<Page> pages, Map<String, Page> bySource, RepositoryFiles files) {
        BodyRenderer bodies = new BodyRenderer(bySource, files);
        PageTemplate template = new PageTemplate(plan.groups(), pages, javadoc != null, repository);
        Map<String, String> html = new TreeMap<>();
        pages.forEach(page -> html.put(page.output(), template.page(page, bodies.html(page))));
        files.pages().forEach((output, shown) -> html.put(output, template.source(output, shown)));
        return html;
    }

    private void copy(RepositoryFiles files, Path site) throws IOException {
        for (Map.Entry<String, Path> copied : files.copies().entrySet()) {
            Path target = site.resolve(copied.getKey());
            Files.createDirectories(target.getParent());
            Files.copy(copied.getValue(), target);
        }
        for (String name : RESOURCES) {
            try (InputStream in = SiteGenerator.class.getResourceAsStream(name)) {
                if (in == null) {
                    throw new IllegalStateException("Expected " + name + " beside the class, but it is not there.");
                }
                Files.copy(in, site.resolve(name));
            }
        }
        if (javadoc != null) {
            copyFolder(javadoc, site.resolve("javadoc"));
        }
    }

    private static void copyFolder(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : all.toList()) {
                Path target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
        Files.createDirectories(folder);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
