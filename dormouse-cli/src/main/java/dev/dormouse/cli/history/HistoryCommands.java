package dev.dormouse.cli.history;

import dev.dormouse.cli.base.GroupCommand;
import picocli.CommandLine.Command;

/** All that is done with histories of runs. */
@Command(
        name = "history",
        description = "Read histories, save them, and find out whether today's code still fits them.",
        subcommands = {ShowCommand.class, ExportCommand.class, ReplayCommand.class})
public final class HistoryCommands extends GroupCommand {}
