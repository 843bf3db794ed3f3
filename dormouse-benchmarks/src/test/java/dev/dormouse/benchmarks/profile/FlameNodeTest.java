package dev.dormouse.benchmarks.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.io.StringReader;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class FlameNodeTest {
    private static final String STACKS = """
            java/lang/Thread.run;dev/dormouse/internal/thread/JvmThreads.run;dev/dormouse/internal/engine/write/Batcher.run;org/postgresql/jdbc/PgStatement.execute 60
            java/lang/Thread.run;dev/dormouse/internal/engine/write/Batcher.run;dev/dormouse/internal/engine/write/Batcher.lambda$run$0;send_[k] 30
            GCThread::run 10
            """;

    private static FlameNode flame() {
        return FlameNode.of(STACKS, Frames::view);
    }

    @Test
    void stacksBeginWithTheFirstLineOfDormouseAndAreAddedUp() {
        assertThat(flame().samples()).isEqualTo(100);
        assertThat(flame().above())
                .extracting(FlameNode::name, FlameNode::samples)
                .containsExactly(
                        tuple("dev/dormouse/internal/engine/write/Batcher.run", 90L),
                        tuple("compiler, garbage collector, other threads of the machine", 10L));
        assertThat(flame().above().get(0).above())
                .extracting(FlameNode::name)
                .containsExactly("org/postgresql/jdbc/PgStatement.execute", "send_[k]");
    }

    @Test
    void flameGraphShowsSharesAndIsWellFormed() throws Exception {
        String svg = new FlameGraphSvg(flame(), "a <title>", "a & b").draw();
        Document document =
                DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        NodeList tips = document.getElementsByTagName("title");
        assertThat(tips.item(0).getTextContent()).isEqualTo("Batcher.run, 90.0 %");
        assertThat(svg)
                .contains(
                        "driver and pool 60.0 %",
                        "kernel 30.0 %", "virtual machine 10.0 %", "PgStatement.execute, 60.0 %");
    }
}
