package dev.dormouse;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.stream.Stream;

/** What this machine is called. */
final class MachineName {
    private MachineName() {}

    /** Host name and process id, such as {@code app-7f4c:2041}. */
    static String withProcess() {
        return host() + ":" + ProcessHandle.current().pid();
    }

    /** The environment is asked first: it answers at once. */
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
