package dev.dormouse.cli.operate;

import dev.dormouse.cli.base.GroupCommand;
import picocli.CommandLine.Command;

/** Who executes. */
@Command(name = "node", description = "Processes that execute workflows.", subcommands = NodeListCommand.class)
public final class NodeCommands extends GroupCommand {}
