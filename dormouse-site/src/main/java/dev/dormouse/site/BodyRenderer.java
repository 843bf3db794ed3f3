package dev.dormouse.site;

import java.net.URI;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.AttributeProvider;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlRenderer;
import org.commonmark.renderer.html.HtmlWriter;

/**
 * A renderer of Markdown as HTML: links lead to pages of the site, code is highlighted, headings have GitHub's anchors,
 * and error codes link to their pages.
 */
final class BodyRenderer {
    private static final Pattern ERROR_CODE = Pattern.compile("\\bDM\\d{4}\\b");

    private final Map<String, Page> pagesBySource;
    private final RepositoryFiles files;

    BodyRenderer(Map<String, Page> pagesBySource, RepositoryFiles files) {
        this.pagesBySource = pagesBySource;
        this.files = files;
    }

    /** Returns the body of a page. */
    String html(Page page) {
        Iterator<Page.Heading> headings = page.headings().iterator();
        return HtmlRenderer.builder()
                .extensions(Markdown.EXTENSIONS)
                .attributeProviderFactory(context -> attributes(page))
                .nodeRendererFactory(context -> new Overrides(context, page, headings))
                .build()
                .render(page.document())
                .replace("<table>", "<div class=\"table\"><table>")
                .replace("</table>", "</table></div>");
    }

    private AttributeProvider attributes(Page page) {
        return (node, tag, attributes) -> {
            if (node instanceof Link link) {
                attributes.put("href", target(page, link.getDestination()));
            } else if (node instanceof Image image) {
                attributes.put("src", target(page, image.getDestination()));
                attributes.put("loading", "lazy");
            }
        };
    }

    /** Returns the place on the site that a link of the Markdown means. A broken link stays as it is: the check reports it. */
    private String target(Page page, String destination) {
        if (isOutside(destination) || destination.startsWith("#")) {
            return destination;
        }
        int hash = destination.indexOf('#');
        String anchor = hash < 0 ? "" : destination.substring(hash);
        String path = SitePaths.resolve(page.source(), hash < 0 ? destination : destination.substring(0, hash));
        Page other = pagesBySource.get(path);
        String output = other == null ? files.add(path) : other.output();
        return SitePaths.relative(page.output(), output) + anchor;
    }

    static boolean isOutside(String destination) {
        return destination.matches("[a-z][a-z0-9+.-]*:.*")
                && URI.create(destination).isAbsolute();
    }

    /** The nodes that are not rendered as usual. */
    private final class Overrides implements NodeRenderer {
        private final HtmlNodeRendererContext context;
        private final HtmlWriter html;
        private final Page page;
        private final Iterator<Page.Heading> headings;

        Overrides(HtmlNodeRendererContext context, Page page, Iterator<Page.Heading> headings) {
            this.context = context;
            this.html = context.getWriter();
            this.page = page;
            this.headings = headings;
        }

        @Override
        public Set<Class<? extends Node>> getNodeTypes() {
            return Set.of(Heading.class, FencedCodeBlock.class, IndentedCodeBlock.class, Code.class, Text.class);
        }

        @Override
        public void render(Node node) {
            if (node instanceof Heading heading) {
                heading(heading);
            } else if (node instanceof FencedCodeBlock block) {
                String info = String.valueOf(block.getInfo()).strip();
                code(block.getLiteral(), info.isEmpty() ? "text" : info.split("\\s")[0]);
            } else if (node instanceof IndentedCodeBlock block) {
                code(block.getLiteral(), "text");
            } else if (node instanceof Code code) {
                withErrorLinks(code.getLiteral(), "<code>", "</code>", isLinked(code));
            } else if (node instanceof Text text) {
                withErrorLinks(text.getLiteral(), "", "", isLinked(text));
            }
        }

        private void heading(Heading heading) {
            Page.Heading known = headings.next();
            String tag = "h" + heading.getLevel();
            html.line();
            html.raw("<" + tag + " id=\"" + Html.escape(known.anchor()) + "\">");
            for (Node child = heading.getFirstChild(); child != null; child = child.getNext()) {
                context.render(child);
            }
            if (heading.getLevel() > 1) {
                html.raw("<a class=\"anchor\" href=\"#" + Html.escape(known.anchor())
                        + "\" aria-label=\"Link to this section\">#</a>");
            }
            html.raw("</" + tag + ">");
            html.line();
        }

        private void code(String code, String language) {
            html.line();
            html.raw("<div class=\"code\"><pre><code class=\"language-" + Html.escape(language) + "\">"
                    + CodeHighlighter.html(code, language) + "</code></pre></div>");
            html.line();
        }

        private boolean isLinked(Node node) {
            for (Node parent = node.getParent(); parent != null; parent = parent.getParent()) {
                if (parent instanceof Link || parent instanceof Heading) {
                    return true;
                }
            }
            return false;
        }

        private void withErrorLinks(String text, String before, String after, boolean isLinked) {
            StringBuilder out = new StringBuilder(before);
            Matcher code = ERROR_CODE.matcher(text);
            int at = 0;
            while (code.find()) {
                Page target = pagesBySource.get("docs/errors/" + code.group() + ".md");
                out.append(Html.escape(text.substring(at, code.start())));
                if (target == null || isLinked || target.equals(page)) {
                    out.append(code.group());
                } else {
                    String href = SitePaths.relative(page.output(), target.output());
                    out.append("<a href=\"")
                            .append(href)
                            .append("\">")
                            .append(code.group())
                            .append("</a>");
                }
                at = code.end();
            }
            html.raw(out.append(Html.escape(text.substring(at))).append(after).toString());
        }
    }
}
