package dev.dormouse.benchmarks.report;

import dev.dormouse.benchmarks.measure.Spread;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** A logarithmic axis that includes all values to be shown, and 1. */
record LogAxis(int lowest, int highest, double left, double right) {

    static LogAxis over(List<Spread> spreads, double left, double right) {
        int lowest = -1;
        int highest = 1;
        for (Spread spread : spreads) {
            lowest = Math.min(lowest, (int) Math.floor(Math.log10(spread.min())));
            highest = Math.max(highest, (int) Math.ceil(Math.log10(spread.max())));
        }
        return new LogAxis(lowest, highest, left, right);
    }

    double place(double value) {
        double part = (Math.log10(value) - lowest) / (highest - lowest);
        return left + (right - left) * Math.min(1, Math.max(0, part));
    }

    static String label(double tick) {
        return (tick < 1 ? BigDecimal.valueOf(tick).toPlainString() : FigureFormat.text(tick)) + "×";
    }

    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        for (int power = lowest; power <= highest; power++) {
            ticks.add(Math.pow(10, power));
        }
        return ticks;
    }
}
