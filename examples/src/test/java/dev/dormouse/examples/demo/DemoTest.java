package dev.dormouse.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DemoTest {
    @Test
    void demoGreets() {
        assertThat(Demo.greeting()).contains("dormouse");
    }
}
