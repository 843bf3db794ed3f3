package dev.dormouse;

/** A part of Dormouse that comes as a module of its own, such as dormouse-dag; see {@link DormouseBuilder#with}. */
public interface Plugin {

    /** Registers what it needs: workflows, activities, queues. Called once, by {@link DormouseBuilder#with}. */
    void register(DormouseBuilder builder);

    /** A node is about to open, and may execute the plugin's code from now on. Called once. */
    void opening(PluginHost host);
}
