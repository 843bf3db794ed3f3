package dev.dormouse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlaceholderTest {
    @Test
    void moduleIsBuiltAndTested() {
        assertThat(Placeholder.name()).isEqualTo("dormouse-core");
    }
}
