package dev.dormouse.benchmarks;

import dev.dormouse.benchmarks.scenario.Rounds;
import dev.dormouse.benchmarks.scenario.Scenario;
import dev.dormouse.benchmarks.scenario.Scenarios;
import dev.dormouse.benchmarks.system.Contender;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The selected systems, scenarios and options. Throws {@link BadUsage} if they are invalid. */
final class Selection {
    static final String POSTGRES = "postgres";
    private static final String SQLITE = "sqlite";
    private static final String NONE = "none";

    private final boolean isSqlite;
    private final @Nullable String url;
    private final List<Contender> contenders;
    private final List<Scenario> scenarios;

    Selection(
            String store,
            @Nullable String url,
            @Nullable List<String> against,
            @Nullable List<String> scenarios,
            boolean quick) {
        if (!store.equals(POSTGRES) && !store.equals(SQLITE)) {
            throw new BadUsage("Expected --store postgres or sqlite, but got '" + store + "'.");
        }
        this.isSqlite = store.equals(SQLITE);
        this.url = checkedUrl(url, isSqlite);
        this.contenders = isSqlite ? alone(against) : beside(against);
        this.scenarios = choose(scenarios, quick, isSqlite);
    }

    private static @Nullable String checkedUrl(@Nullable String url, boolean isSqlite) {
        if (url != null && isSqlite) {
            throw new BadUsage("Expected --url with --store postgres, but the store is sqlite. Leave one out.");
        }
        if (url != null && !url.startsWith("jdbc:postgresql://")) {
            throw new BadUsage("Expected --url jdbc:postgresql://HOST/DATABASE?user=ROLE, but got something else.");
        }
        return url;
    }

    private static List<Contender> alone(@Nullable List<String> against) {
        if (against != null && !against.equals(List.of(NONE))) {
            throw new BadUsage("Expected --against with --store postgres, but on sqlite Dormouse is measured alone. "
                    + "Leave one out.");
        }
        return List.of(Contenders.dormouse());
    }

    private static List<Contender> beside(@Nullable List<String> against) {
        List<Contender> peers = Contenders.peers();
        List<String> names = peers.stream().map(Contender::name).toList();
        if (against != null && against.equals(List.of(NONE))) {
            return List.of(Contenders.dormouse());
        }
        for (String name : against == null ? names : against) {
            if (!names.contains(name)) {
                throw new BadUsage("Expected --against to name some of " + String.join(", ", names)
                        + ", or none, but got '" + name + "'.");
            }
        }
        List<Contender> chosen = new ArrayList<>(List.of(Contenders.dormouse()));
        peers.stream()
                .filter(peer -> against == null || against.contains(peer.name()))
                .forEach(chosen::add);
        chosen.add(Contenders.limit());
        return chosen;
    }

    private static List<Scenario> choose(@Nullable List<String> asked, boolean quick, boolean isSqlite) {
        if (asked == null) {
            return (quick ? Scenarios.quick() : Scenarios.all())
                    .stream()
                            .filter(scenario -> !isSqlite || !scenario.needsServer())
                            .toList();
        }
        for (String name : asked) {
            Scenario scenario = find(name);
            if (isSqlite && scenario.needsServer()) {
                throw new BadUsage("Expected scenarios that SQLite can play, but " + name + " takes a server.");
            }
        }
        return Scenarios.all().stream()
                .filter(scenario -> scenario.names().stream().anyMatch(asked::contains))
                .toList();
    }

    private static Scenario find(String name) {
        return Scenarios.all().stream()
                .filter(scenario -> scenario.names().contains(name))
                .findFirst()
                .orElseThrow(() -> new BadUsage("Expected --scenario to name some of "
                        + Scenarios.all().stream().map(Scenario::name).collect(Collectors.joining(", ")) + ", but got '"
                        + name + "'."));
    }

    static Rounds rounds(@Nullable Integer asked, boolean quick) {
        if (asked == null) {
            return quick ? Rounds.QUICK : Rounds.FULL;
        }
        if (asked < 1) {
            throw new BadUsage("Expected --rounds 1 or more, but got " + asked + ".");
        }
        return new Rounds(asked, asked);
    }

    /** Checks early that an output file can be written, and not after an hour. */
    static void checkFile(String option, @Nullable Path file) {
        if (file == null) {
            return;
        }
        Path directory = file.toAbsolutePath().getParent();
        if (Files.isDirectory(file) || directory == null || !Files.isDirectory(directory)) {
            throw new BadUsage("Expected " + option + " FILE in a directory that exists, but '" + file + "' is not.");
        }
    }

    boolean isSqlite() {
        return isSqlite;
    }

    Optional<String> url() {
        return Optional.ofNullable(url);
    }

    List<Contender> contenders() {
        return contenders;
    }

    List<Scenario> scenarios() {
        return scenarios;
    }
}
