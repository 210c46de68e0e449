package io.pilothouse.core.organization;

/** The plan of an organization; on the wire it is the constant's own name. */
public enum OrganizationTier {
    BASIC,
    SCALE,
    ENTERPRISE
}
