package dev.dormouse.cli.operate;

import dev.dormouse.cli.api.ApiClient;
import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.api.TargetOptions;
import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.error.DormouseException;
import dev.dormouse.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.node.ArrayNode;

@Command(
        name = "doctor",
        description = "Checks that Dormouse is reachable and healthy, and prints what to do if it is not.",
        footer = {"", "The exit code is 0 if no check failed, otherwise 1."})
public final class DoctorCommand extends BaseCommand {
    @Mixin
    private final TargetOptions target = new TargetOptions();

    @Override
    protected ExitCode run(Screen screen) {
        List<Finding> findings = findings();
        if (screen.format() == Screen.Format.JSON) {
            screen.json(json(findings));
        } else {
            findings.forEach(finding -> finding.print(screen));
        }
        boolean isHealthy = findings.stream().noneMatch(finding -> finding.state() == Finding.State.BAD);
        return isHealthy ? ExitCode.OK : ExitCode.FAILED;
    }

    private List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        Optional<String> store = target.store(environment());
        store.ifPresent(url -> findings.addAll(StoreChecks.of(url, target.schema())));
        if (findings.stream().anyMatch(finding -> finding.state() == Finding.State.BAD)) {
            return findings;
        }
        try (ApiClient api = target.open(environment())) {
            new ApiChecks(api, environment().clock(), store.isPresent()).addTo(findings);
        } catch (CommandFailed problem) {
            boolean isReachable =
                    findings.stream().anyMatch(finding -> finding.check().equals("reachable"));
            findings.add(Finding.bad(isReachable ? "answers" : "reachable", problem.getMessage(), ""));
        } catch (DormouseException problem) {
            findings.add(Finding.bad(name(problem.code()), problem.getMessage(), advice(problem.code())));
        }
        return findings;
    }

    private static String name(ErrorCode code) {
        return switch (code) {
            case SCHEMA_MISSING, SCHEMA_TOO_NEW, SCHEMA_DAMAGED -> "schema";
            default -> "reachable";
        };
    }

    private static String advice(ErrorCode code) {
        return code == ErrorCode.SCHEMA_MISSING
                ? "Run: dormouse migrate, or dormouse migrate --print for the SQL."
                : "";
    }

    private static ArrayNode json(List<Finding> findings) {
        ArrayNode array = ApiJson.array();
        findings.forEach(finding -> array.add(ApiJson.object()
                .put("check", finding.check())
                .put("state", finding.state().name())
                .put("found", finding.found())
                .put("whatToDo", finding.advice())));
        return array;
    }
}
