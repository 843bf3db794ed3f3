package dev.dormouse.examples.payroll;

import dev.dormouse.ActivityInterface;
import java.util.List;

/** The employees and their salaries. */
@ActivityInterface(name = "payroll.Bank")
public interface Bank {
    /** Returns the next employees after a number, in order; at most {@code limit}. */
    List<Integer> employeesAfter(int last, int limit);

    void pay(int employee);
}
