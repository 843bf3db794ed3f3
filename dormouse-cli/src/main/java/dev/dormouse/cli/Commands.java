package dev.dormouse.cli;

import dev.dormouse.cli.base.GroupCommand;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * Sets up the command that was typed, and no other: all sixty take longer than most commands do. Where the words name none,
 * all are set up, so that help is whole and what was misspelt finds what it resembles.
 */
final class Commands {
    private Commands() {}

    static void add(CommandLine line, List<Class<?>> commands, List<String> words) {
        List<Class<?>> named = words.isEmpty() || words.get(0).equals("completion")
                ? List.of()
                : commands.stream()
                        .filter(command -> isNamed(command, words.get(0)))
                        .toList();
        List<String> rest = named.isEmpty() ? List.of() : words.subList(1, words.size());
        for (Class<?> command : named.isEmpty() ? commands : named) {
            CommandLine next = new CommandLine(command);
            if (next.getCommand() instanceof GroupCommand group) {
                add(next, group.commands(), rest);
            }
            line.addSubcommand(next);
        }
    }

    private static boolean isNamed(Class<?> command, String word) {
        Command annotation = command.getAnnotation(Command.class);
        return annotation != null
                && (annotation.name().equals(word)
                        || Arrays.asList(annotation.aliases()).contains(word));
    }
}
