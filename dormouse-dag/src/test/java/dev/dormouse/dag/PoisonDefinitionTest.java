package dev.dormouse.dag;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.DormouseBuilder;
import dev.dormouse.error.DormouseException;
import dev.dormouse.plugin.Plugin;
import dev.dormouse.plugin.PluginHost;
import dev.dormouse.testing.TestDormouse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** A definition that a node cannot read must not prevent the node from opening. */
class PoisonDefinitionTest {

    @Test
    void definitionOfALaterReleaseDoesNotPreventAnOlderNodeFromOpening() {
        String later = "{\"name\":\"later\",\"version\":1,\"steps\":[{\"id\":\"a\",\"task\":\"log\",\"news\":1}]}";
        Plugin writer = new Plugin() {
            @Override
            public void register(DormouseBuilder builder) {}

            @Override
            public void opening(PluginHost host) {
                host.definitions().define(0, "later", 1, later.getBytes(StandardCharsets.UTF_8));
            }
        };
        assertThatThrownBy(() -> Dag.fromJson(later)).isInstanceOf(DormouseException.class);
        assertThatCode(() -> TestDormouse.open(builder -> builder.plugin(writer).plugin(Dags.of()))
                        .close())
                .doesNotThrowAnyException();
    }
}
