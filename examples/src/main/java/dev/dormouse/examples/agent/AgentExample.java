package dev.dormouse.examples.agent;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;
import java.util.List;

/** A fake model looks for an order and refunds it, when a person allows it. Argument: the store. */
public final class AgentExample {
    private AgentExample() {}

    public static void main(String[] args) throws InterruptedException {
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(Agent.class, AgentWorkflow::new)
                .activities(Model.class, AgentExample::reply)
                .activities(Tools.class, new FakeTools())
                .open()) {
            Agent agent = dormouse.workflow(Agent.class, "agent-1");
            WorkflowHandle<String> handle = dormouse.start(() -> agent.solve("Ada wants her money back."));
            while (agent.waitingCall().isEmpty()) {
                Thread.sleep(20);
            }
            System.out.println("May I? " + agent.waitingCall());
            agent.decide(true);
            System.out.println("The answer: " + handle.result());
            agent.conversation().forEach(System.out::println);
        }
    }

    /** A model that is easy to predict. */
    private static Model.Reply reply(List<String> conversation) {
        return switch (conversation.size()) {
            case 1 -> new Model.Reply("Tools.findOrder", "ada");
            case 3 -> new Model.Reply("Tools.refund", conversation.get(2).replace("tool: ", ""));
            default -> new Model.Reply("", "Ada has her money back.");
        };
    }

    private static final class FakeTools implements Tools {
        @Override
        public String findOrder(String customer) {
            return "order-7 of " + customer;
        }

        @Override
        public String refund(String order) {
            return "refunded " + order;
        }
    }
}
