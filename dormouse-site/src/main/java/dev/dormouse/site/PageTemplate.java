package dev.dormouse.site;

import java.util.List;

/**
 * The HTML around the body of a page: header with search, navigation, table of contents, neighbors. Its ids begin with
 * {@code site-}, because headings have ids such as {@code results}.
 */
final class PageTemplate {
    private static final String LOGO =
            "<svg viewBox=\"0 0 20 20\" aria-hidden=\"true\"><circle cx=\"10\" cy=\"10\" r=\"8\" "
                    + "fill=\"none\" stroke=\"currentColor\" stroke-width=\"1.6\"/><path d=\"M10 10V2a8 8 0 0 1 8 8z\" fill=\"currentColor\"/></svg>";

    private final List<String> groups;
    private final List<Page> pages;
    private final boolean hasJavadoc;
    private final String repository;

    /**
     * Creates the template.
     *
     * @param repository the URL that edit links begin with; empty for none
     */
    PageTemplate(List<String> groups, List<Page> pages, boolean hasJavadoc, String repository) {
        this.groups = groups;
        this.pages = pages;
        this.hasJavadoc = hasJavadoc;
        this.repository = repository;
    }

    /** Returns the HTML of a page with navigation, contents and neighbors. */
    String page(Page page, String body) {
        String edit = page.isGenerated() || repository.isEmpty()
                ? ""
                : "<a href=\"" + Html.escape(repository + page.source()) + "\">Edit this page</a>";
        return frame(
                page.output(),
                page.title(),
                page.summary(),
                page.group(),
                body + "<nav class=\"neighbors\" aria-label=\"Neighboring pages\">" + neighbor(page, -1)
                        + neighbor(page, 1) + "</nav>\n",
                contents(page),
                edit);
    }

    /** Returns the HTML of a page that shows source. */
    String source(String output, RepositoryFiles.Shown shown) {
        return frame(output, shown.path(), "", "", shown.body(), "", "");
    }

    private String frame(
            String output, String title, String summary, String group, String body, String contents, String edit) {
        String base = SitePaths.relative(output, "x").replaceAll("x$", "");
        String name =
                title.equals("Dormouse") ? "Dormouse: durable workflows and timers for Java" : title + " – Dormouse";
        return "<!doctype html>\n<html lang=\"en\" data-base=\"" + base + "\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
                + Html.escape(name) + "</title>\n"
                + (summary.isEmpty() ? "" : "<meta name=\"description\" content=\"" + Html.escape(summary) + "\">\n")
                + "<link rel=\"icon\" href=\"" + base + "icon.svg\">\n<link rel=\"stylesheet\" href=\"" + base
                + "site.css\">\n"
                + "<script src=\"" + base + "theme.js\"></script>\n<script defer src=\"" + base
                + "site.js\"></script>\n</head>\n<body>\n"
                + "<a class=\"skip\" href=\"#site-content\">Skip to the content</a>\n<header class=\"top\">\n"
                + "<a class=\"brand\" href=\"" + base + "index.html\">" + LOGO + "Dormouse</a>\n"
                + "<div class=\"search\" role=\"search\"><input id=\"site-search\" type=\"search\" placeholder=\"Search\" aria-label=\"Search\" "
                + "autocomplete=\"off\" spellcheck=\"false\" aria-controls=\"site-results\"><kbd aria-hidden=\"true\">/</kbd>"
                + "<div id=\"site-results\" hidden></div></div>\n"
                + "<button id=\"site-theme\" class=\"tool\" type=\"button\" aria-label=\"Switch between light and dark\">◐</button>\n"
                + "<button id=\"site-menu\" class=\"tool\" type=\"button\" aria-expanded=\"false\" aria-controls=\"site-nav\">Menu</button>\n</header>\n"
                + "<div class=\"frame\">\n" + navigation(output, group, base)
                + "<main id=\"site-content\">\n<article>\n" + body + "</article>\n<footer>" + edit
                + "<a href=\"" + base + "llms.txt\">llms.txt</a></footer>\n</main>\n" + contents
                + "</div>\n</body>\n</html>\n";
    }

    private String navigation(String output, String current, String base) {
        StringBuilder html = new StringBuilder("<nav id=\"site-nav\" aria-label=\"Pages\">\n");
        for (String group : groups) {
            boolean isOpen = group.equals(current) || !isLong(group);
            html.append("<details")
                    .append(isOpen ? " open" : "")
                    .append("><summary>")
                    .append(Html.escape(group))
                    .append("</summary>\n<ul>\n");
            for (Page page : pages) {
                if (page.group().equals(group) && (!isLong(group) || group.equals(current) || isOverview(page))) {
                    html.append("<li><a href=\"")
                            .append(base)
                            .append(page.output())
                            .append('"');
                    html.append(page.output().equals(output) ? " aria-current=\"page\"" : "")
                            .append('>');
                    html.append(Html.escape(page.label())).append("</a></li>\n");
                }
            }
            if (group.equals("Reference") && hasJavadoc) {
                html.append("<li><a href=\"").append(base).append("javadoc/index.html\">Javadoc</a></li>\n");
            }
            html.append("</ul></details>\n");
        }
        return html.append("</nav>\n").toString();
    }

    private static boolean isLong(String group) {
        return group.equals(SitePlan.ERRORS) || group.equals(SitePlan.DECISIONS);
    }

    private static boolean isOverview(Page page) {
        return page.output().endsWith("/index.html");
    }

    private static String contents(Page page) {
        List<Page.Heading> shown = page.headings().stream()
                .filter(heading -> heading.level() == 2 || heading.level() == 3)
                .toList();
        if (shown.size() < 2) {
            return "<aside class=\"toc\"></aside>\n";
        }
        StringBuilder html =
                new StringBuilder("<aside class=\"toc\"><nav aria-label=\"On this page\"><p>On this page</p><ul>\n");
        for (Page.Heading heading : shown) {
            html.append("<li class=\"l")
                    .append(heading.level())
                    .append("\"><a href=\"#")
                    .append(Html.escape(heading.anchor()));
            html.append("\">").append(Html.escape(heading.text())).append("</a></li>\n");
        }
        return html.append("</ul></nav></aside>\n").toString();
    }

    private String neighbor(Page page, int step) {
        int at = pages.indexOf(page) + step;
        if (at < 0 || at >= pages.size()) {
            return "<span></span>";
        }
        Page other = pages.get(at);
        return "<a rel=\"" + (step < 0 ? "prev" : "next") + "\" href=\""
                + SitePaths.relative(page.output(), other.output()) + "\"><small>" + (step < 0 ? "Previous" : "Next")
                + "</small>" + Html.escape(other.label()) + "</a>";
    }
}
