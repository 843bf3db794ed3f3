package dev.dormouse.internal.embedded;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.stream.Stream;

/** The host name and process id of this machine. */
final class MachineName {
    private MachineName() {}

    /** Returns the host name and process id, such as {@code app-7f4c:2041}. */
    static String withProcess() {
        return host() + ":" + ProcessHandle.current().pid();
    }

    /** Returns the host name. Reads the environment first, because a lookup by the resolver may be slow. */
    private static String host() {
        return Stream.of("HOSTNAME", "COMPUTERNAME")
                .map(System::getenv)
                .filter(Objects::nonNull)
                .filter(name -> !name.isBlank())
                .findFirst()
                .orElseGet(MachineName::looked);
    }

    private static String looked() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException nameless) {
            return "localhost";
        }
    }
}
