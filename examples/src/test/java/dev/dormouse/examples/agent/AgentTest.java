package dev.dormouse.examples.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.dormouse.error.DormouseException;
import dev.dormouse.testing.DormouseExtension;
import dev.dormouse.testing.TestDormouse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class AgentTest {
    private final List<String> done = new ArrayList<>();

    @RegisterExtension
    final DormouseExtension kit = DormouseExtension.of(builder -> builder.workflow(Agent.class, AgentWorkflow::new)
            .activities(Model.class, this::reply)
            .activities(Tools.class, new RecordedTools()));

    private Model.Reply reply(List<String> conversation) {
        done.add("model");
        return switch (conversation.size()) {
            case 1 -> new Model.Reply("Tools.findOrder", "ada");
            case 3 -> new Model.Reply("Tools.refund", "order-7");
            default -> new Model.Reply("", conversation.get(4));
        };
    }

    private static Agent start(TestDormouse test) {
        Agent agent = test.dormouse().workflow(Agent.class, "agent");
        test.dormouse().start(() -> agent.solve("money back"));
        test.advance(Duration.ofMinutes(1));
        return agent;
    }

    private static String result(TestDormouse test) {
        return test.dormouse().handle("agent", String.class).result();
    }

    @Test
    void crashWhileAPersonThinksRepeatsNeitherModelNorTool(TestDormouse test) {
        assertThat(start(test).waitingCall()).isEqualTo("Tools.refund order-7");
        test.restart().workflow(Agent.class, "agent").decide(true);
        assertThat(result(test)).isEqualTo("tool: refunded");
        assertThat(done).containsExactly("model", "find", "model", "refund", "model");
    }

    @Test
    void forbiddenToolIsNotCalled(TestDormouse test) {
        start(test).decide(false);
        assertThat(result(test)).isEqualTo("tool: not allowed by a person");
        assertThat(done).doesNotContain("refund");
    }

    @Test
    void noDecisionWithinADayForbidsTheTool(TestDormouse test) {
        Agent agent = start(test);
        assertThat(result(test)).isEqualTo("tool: not allowed by a person");
        assertThat(agent.conversation()).hasSize(6);
        assertThat(test.elapsed()).isEqualTo(Duration.ofDays(1));
        assertThatThrownBy(() -> agent.decide(true)).isInstanceOf(DormouseException.class);
    }

    private final class RecordedTools implements Tools {
        @Override
        public String findOrder(String customer) {
            done.add("find");
            return "order-7";
        }

        @Override
        public String refund(String order) {
            done.add("refund");
            return "refunded";
        }
    }
}
