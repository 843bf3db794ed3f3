package dev.dormouse.site;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;

/** The Markdown that GitHub understands: CommonMark with tables. */
final class Markdown {
    static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

    private Markdown() {}

    /** Returns the page with its parsed text, title and headings. */
    static Page page(
            String source,
            String output,
            String group,
            String label,
            String summary,
            String markdown,
            boolean isGenerated) {
        Node document = PARSER.parse(markdown);
        List<Page.Heading> headings = headings(document);
        String title = headings.isEmpty() ? source : headings.get(0).text();
        return new Page(
                source,
                output,
                group,
                title,
                label.isEmpty() ? title : label,
                summary,
                markdown,
                document,
                headings,
                isGenerated);
    }

    private static List<Page.Heading> headings(Node document) {
        List<Page.Heading> all = new ArrayList<>();
        GitHubSlugs slugs = new GitHubSlugs();
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                String text = text(heading);
                all.add(new Page.Heading(heading.getLevel(), text, slugs.next(text)));
            }
        });
        return all;
    }

    /** Calls {@code found} with the destination of each link and each image. */
    static void links(Node document, Consumer<String> found) {
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                found.accept(link.getDestination());
                visitChildren(link);
            }

            @Override
            public void visit(Image image) {
                found.accept(image.getDestination());
            }
        });
    }

    /** Returns the text of a node without markup, with code. */
    static String text(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text words) {
                text.append(words.getLiteral());
            }

            @Override
            public void visit(Code code) {
                text.append(code.getLiteral());
            }

            @Override
            public void visit(FencedCodeBlock block) {
                text.append(block.getLiteral());
            }

            @Override
            public void visit(IndentedCodeBlock block) {
                text.append(block.getLiteral());
            }

            @Override
            public void visit(SoftLineBreak end) {
                text.append(' ');
            }

            @Override
            public void visit(HardLineBreak end) {
                text.append(' ');
            }

            @Override
            protected void visitChildren(Node parent) {
                super.visitChildren(parent);
                if (parent instanceof org.commonmark.node.Block && !(parent instanceof Heading)) {
                    text.append(' ');
                }
            }
        });
        return text.toString().strip();
    }
}
