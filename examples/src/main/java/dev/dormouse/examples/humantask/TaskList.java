package dev.dormouse.examples.humantask;

import dev.dormouse.Activity;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The open tasks. A real one would be a table and a page. */
public final class TaskList implements People {
    private final BlockingQueue<Task> tasks = new LinkedBlockingQueue<>();

    /** @param token completes the step, from any program that uses the same store */
    public record Task(String text, String token) {}

    @Override
    public String translate(String text) {
        tasks.add(new Task(text, Activity.completeLater()));
        return ""; // is ignored: the token completes the step
    }

    public BlockingQueue<Task> tasks() {
        return tasks;
    }
}
