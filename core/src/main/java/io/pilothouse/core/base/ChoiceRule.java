package io.pilothouse.core.base;

import java.util.List;

/** The numbers that a number may be. */
public record ChoiceRule(List<Integer> numbers) implements Rule {
    public ChoiceRule {
        numbers = List.copyOf(numbers);
    }
}
