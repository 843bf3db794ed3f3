package dev.dormouse.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

class EnvironmentTest {
    /** Surefire redirects the output of its JVMs. Since Java 22 such a JVM has a console, which is not a terminal. */
    @Test
    void redirectedOutputIsNotATerminal() {
        assumeTrue(System.getProperty("basedir") != null, "not started by Surefire");
        assumeTrue(System.getProperty("dormouse.columns") == null, "width of a terminal is set");

        assertThat(Environment.ofProcess().isTerminal()).isFalse();
    }
}
