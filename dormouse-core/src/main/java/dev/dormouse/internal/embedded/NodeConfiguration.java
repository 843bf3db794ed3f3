package dev.dormouse.internal.embedded;

import dev.dormouse.ActivityOptions;
import dev.dormouse.inspect.Monitor;
import dev.dormouse.internal.engine.context.NodeName;
import dev.dormouse.internal.run.EngineSettings;
import dev.dormouse.internal.value.Payloads;
import dev.dormouse.internal.workflow.NamedActivity;
import dev.dormouse.internal.workflow.WorkflowDefinition;
import dev.dormouse.plugin.Plugin;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * The settings and the registered code of a node, as its builder has them. Immutable.
 *
 * @param build the name of the build; empty if the process is a build of its own
 * @param name the display name; empty for the host name and the process id
 * @param activityOptions the options of steps and activities that are called without options
 * @param anyRemoteWorkflow the workflow types that this node starts and other nodes execute
 * @param anyElsewhere true if this node may start workflows of all types
 * @param activities the implementations of activity interfaces
 * @param namedActivities all activities that can be called by name
 * @param remoteActivities the activity interfaces that other nodes implement
 */
public record NodeConfiguration(
        Stores.Choice store,
        EngineSettings engine,
        String build,
        String name,
        Payloads payloads,
        Duration eventWindow,
        ActivityOptions activityOptions,
        List<WorkflowDefinition> workflows,
        Set<String> anyRemoteWorkflow,
        boolean anyElsewhere,
        Map<Class<?>, Object> activities,
        Map<String, NamedActivity> namedActivities,
        Set<Class<?>> remoteActivities,
        List<Plugin> plugins,
        List<Monitor> monitors) {

    public NodeConfiguration {
        workflows = List.copyOf(workflows);
        activities = Map.copyOf(activities);
        remoteActivities = Set.copyOf(remoteActivities);
        plugins = List.copyOf(plugins);
        monitors = List.copyOf(monitors);
    }

    NodeName nodeName(RandomGenerator random) {
        String nodeId = new UUID(random.nextLong(), random.nextLong()).toString();
        return new NodeName(
                nodeId, build.isEmpty() ? nodeId : build, name.isEmpty() ? MachineName.withProcess() : name);
    }
}
