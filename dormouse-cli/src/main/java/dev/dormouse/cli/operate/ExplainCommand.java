package dev.dormouse.cli.operate;

import dev.dormouse.cli.api.ApiJson;
import dev.dormouse.cli.base.BaseCommand;
import dev.dormouse.cli.process.CommandFailed;
import dev.dormouse.cli.process.ExitCode;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.TextTable;
import dev.dormouse.error.ErrorCode;
import dev.dormouse.error.Explanation;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "explain",
        description = "Explains an error code and what to do about it; without a code, lists all codes.",
        footer = {"", "Example: dormouse explain DM1003"})
public final class ExplainCommand extends BaseCommand {
    @Parameters(arity = "0..1", paramLabel = "CODE", description = "Such as DM1003, [DM1003] or 1003.")
    private @Nullable String code;

    @Override
    protected ExitCode run(Screen screen) {
        if (code == null) {
            list(screen);
        } else {
            explain(find(code), screen);
        }
        return ExitCode.OK;
    }

    private static void list(Screen screen) {
        TextTable table = new TextTable("CODE", "NAME", "MEANING");
        for (ErrorCode code : ErrorCode.values()) {
            table.row(code.label(), code.name(), Explanation.of(code).meaning());
        }
        screen.table(table);
    }

    private static ErrorCode find(String typed) {
        String label = typed.toUpperCase(Locale.ROOT).replaceAll("[\\[\\]]", "");
        return Arrays.stream(ErrorCode.values())
                .filter(one -> one.label().equals(label)
                        || one.label().equals("DM" + label)
                        || one.name().equals(label))
                .findFirst()
                .orElseThrow(() -> new CommandFailed(
                        ExitCode.NOT_FOUND,
                        "Expected an error code such as DM1003, but there is no '" + typed
                                + "'. 'dormouse explain' lists them."));
    }

    private static void explain(ErrorCode code, Screen screen) {
        Explanation explanation = Explanation.of(code);
        switch (screen.format()) {
            case JSON ->
                screen.json(ApiJson.object()
                        .put("code", code.label())
                        .put("name", code.name())
                        .put("meaning", explanation.meaning())
                        .put("when", explanation.when())
                        .put("example", explanation.example())
                        .put("whatToDo", explanation.whatToDo()));
            case IDS -> screen.line(code.label());
            case TABLE -> {
                screen.line(screen.style().bold(code.label()) + " " + code.name());
                screen.line("");
                screen.paragraph(explanation.meaning());
                screen.line("");
                screen.paragraph("When it happens: " + explanation.when());
                screen.line("");
                screen.paragraph("Example: " + explanation.example());
                screen.line("");
                screen.paragraph("What to do: " + explanation.whatToDo());
            }
        }
    }
}
