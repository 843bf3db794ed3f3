package dev.dormouse.plugin;

import dev.dormouse.DormouseBuilder;

/**
 * A part of Dormouse that is a separate module, such as dormouse-dag; see {@link DormouseBuilder#plugin}. The thread
 * that builds and opens the Dormouse calls its methods, but the code that they register runs on other threads.
 */
public interface Plugin {

    /** Registers the plugin's workflows, activities and queues. Called once, by {@link DormouseBuilder#plugin}. */
    void register(DormouseBuilder builder);

    /** Prepares the plugin. Called once, immediately before the node opens and may execute the plugin's code. */
    void opening(PluginHost host);
}
