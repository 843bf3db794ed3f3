package dev.dormouse.cli.base;

import dev.dormouse.cli.process.Environment;
import dev.dormouse.cli.term.Format;
import dev.dormouse.cli.term.Screen;
import dev.dormouse.cli.term.Times;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Options that say how results are printed. */
public final class Output {
    @Option(
            names = {"-o", "--output"},
            paramLabel = "FORMAT",
            description = "table, json, or ids: one id on each line, for another command's '-'. A table if not given.")
    private Format format = Format.TABLE;

    @Option(
            names = "--times",
            paramLabel = "FORM",
            description = "relative, absolute or both: how tables show instants. Relative if not given.")
    private Times.Form times = Times.Form.RELATIVE;

    public Screen screen(CommandLine line, Environment environment) {
        return new Screen(line.getOut(), line.getErr(), environment, format, times);
    }
}
