package dev.dormouse.cli.operate;

import dev.dormouse.cli.base.GroupCommand;
import picocli.CommandLine.Command;

/** What happens outside. */
@Command(name = "event", description = "Events that workflows wait for.", subcommands = EventPublishCommand.class)
public final class EventCommands extends GroupCommand {}
