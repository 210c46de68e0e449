/** What the rules of the contract must keep, row by row. */
@NullMarked
package io.pilothouse.core.domain;

import org.jspecify.annotations.NullMarked;
