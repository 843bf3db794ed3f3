package dev.dormouse.cli.dag;

import dev.dormouse.cli.base.GroupCommand;
import picocli.CommandLine.Command;

/** All that is done with DAGs. */
@Command(
        name = "dag",
        description = "Workflows as data: check, look at and run them.",
        subcommands = {ValidateCommand.class, ShowCommand.class, RunCommand.class})
public final class DagCommands extends GroupCommand {}
