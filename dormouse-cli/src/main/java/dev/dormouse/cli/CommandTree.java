package dev.dormouse.cli;

import dev.dormouse.cli.base.GroupCommand;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * The tree of commands. Only the command that was typed is added to the command line, because setting up all sixty
 * takes longer than most commands. If the arguments name no command, all are added, for help and for suggestions after
 * a typing error.
 */
final class CommandTree {
    private CommandTree() {}

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
