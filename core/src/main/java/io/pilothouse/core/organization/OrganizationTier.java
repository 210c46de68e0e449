package io.pilothouse.core.organization;

import io.pilothouse.core.base.WordRule;

/** The plan of an organization; on the wire it is the constant's own name. */
public enum OrganizationTier {
    BASIC,
    SCALE,
    ENTERPRISE;

    /** The words of the wire. */
    public static final WordRule WORDS = WordRule.of(values(), OrganizationTier::name);
}
