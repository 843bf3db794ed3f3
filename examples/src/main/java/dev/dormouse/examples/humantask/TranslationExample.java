package dev.dormouse.examples.humantask;

import dev.dormouse.Dormouse;
import dev.dormouse.WorkflowHandle;

/** A person takes a task and answers. Argument: the store. */
public final class TranslationExample {
    private TranslationExample() {}

    public static void main(String[] args) throws InterruptedException {
        TaskList list = new TaskList();
        try (Dormouse dormouse = Dormouse.builder()
                .store(args.length > 0 ? args[0] : "sqlite::memory:")
                .workflow(Translation.class, TranslationWorkflow::new)
                .activities(People.class, list)
                .open()) {
            Translation translation = dormouse.workflow(Translation.class, "translation-1");
            WorkflowHandle<String> handle = dormouse.start(() -> translation.translate("Haselmaus"));
            TaskList.Task task = list.tasks().take();
            System.out.println("To do: " + task.text());
            dormouse.completeActivity(task.token(), "dormouse");
            System.out.println("The translation: " + handle.result());
        }
    }
}
