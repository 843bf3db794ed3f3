package dev.dormouse.cli.operate;

import dev.dormouse.cli.base.GroupCommand;
import java.util.List;
import picocli.CommandLine.Command;

/** What happens outside. */
@Command(name = "event", description = "Events that workflows wait for.")
public final class EventCommands extends GroupCommand {
    @Override
    public List<Class<?>> commands() {
        return List.of(EventPublishCommand.class);
    }
}
