package io.pilothouse.core.base;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A limit of the contract: values are held against it, and the served document shows it. */
public sealed interface Rule permits NumberRule, ChoiceRule, SizeRule, Rule.OfText {

    /** A limit of a text. */
    sealed interface OfText extends Rule permits TextRule, WordRule, PatternRule {
        /** A sentence about what is wrong with this value, if anything is. */
        Optional<String> breach(String value);

        /** Adds a fault unless the text, if one was given, keeps the rule. */
        default void check(String path, @Nullable String value, Faults faults) {
            if (value != null) {
                breach(value).ifPresent(message -> faults.add(path, message));
            }
        }
    }
}
