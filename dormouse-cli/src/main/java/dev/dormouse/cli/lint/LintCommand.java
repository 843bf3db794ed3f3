package dev.dormouse.cli.lint;

import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Text;
import dev.dormouse.lint.Finding;
import dev.dormouse.lint.Severity;
import dev.dormouse.lint.WorkflowLint;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
        name = "lint",
        description = {
            "Checks the workflow code in jars for calls that a replay cannot repeat: clocks, randomness, threads, I/O. Reads "
                    + "the class files and runs none of them; needs no server and no store."
        },
        footer = {
            "",
            "The exit code is 0 if there is no error, otherwise 1. Warnings do not change it.",
            "-o ids prints each finding in the form that --accept takes.",
            "Example: dormouse lint target/app.jar --accept CLOCK:com.acme.Orders.run"
        })
public final class LintCommand extends BaseCommand {
    @Parameters(
            arity = "1..*",
            paramLabel = "PATH",
            description =
                    "Jars and folders of classes with the workflows, their interfaces and the code that they call.")
    private List<Path> paths = List.of();

    @Option(
            names = "--accept",
            paramLabel = "RULE:CLASS.METHOD",
            description = "A finding to leave out; can be repeated. An asterisk at the end stands for anything.")
    private List<String> accepted = List.of();

    @Override
    protected ExitCode run(Screen screen) {
        WorkflowLint lint = WorkflowLint.of(paths.toArray(Path[]::new));
        if (!accepted.isEmpty()) {
            lint = lint.accept(accepted.toArray(String[]::new));
        }
        List<Finding> findings = lint.findings();
        switch (screen.format()) {
            case JSON -> screen.json(json(findings));
            case IDS -> findings.stream().map(LintCommand::id).distinct().forEach(screen::line);
            case TABLE -> findings.forEach(finding -> screen.line(Text.clean(finding.toString())));
        }
        long errors = findings.stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .count();
        screen.remark("Checked " + count(lint.workflows().size(), "class", "classes") + " with workflow code: "
                + count(errors, "error", "errors") + ", "
                + count(findings.size() - errors, "warning", "warnings") + "."
                + (lint.workflows().isEmpty() ? " Name the jars with your workflows and their interfaces." : ""));
        return errors == 0 ? ExitCode.OK : ExitCode.FAILED;
    }

    private static String id(Finding finding) {
        String method = finding.method().isEmpty() ? "" : "." + finding.method();
        return Text.clean(finding.rule() + ":" + finding.className() + method);
    }

    private static String count(long number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }

    private static ArrayNode json(List<Finding> findings) {
        ArrayNode array = ApiJson.array();
        for (Finding finding : findings) {
            ObjectNode node = array.addObject()
                    .put("rule", finding.rule().name())
                    .put("severity", finding.severity().name())
                    .put("class", finding.className())
                    .put("method", finding.method())
                    .put("file", finding.file())
                    .put("line", finding.line())
                    .put("found", finding.found())
                    .put("reason", finding.rule().reason())
                    .put("whatToDo", finding.rule().advice());
            finding.path().forEach(node.putArray("path")::add);
        }
        return array;
    }
}
