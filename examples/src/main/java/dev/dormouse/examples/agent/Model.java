package dev.dormouse.examples.agent;

import dev.dormouse.ActivityInterface;
import java.util.List;

/** A language model. */
@ActivityInterface
public interface Model {
    Reply reply(List<String> conversation);

    /**
     * A reply of the model.
     *
     * @param tool the name of the tool that the model wants to use, such as {@code Tools.search}; empty for an answer
     * @param text the argument of the tool, or the answer
     */
    record Reply(String tool, String text) {}
}
