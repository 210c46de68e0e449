/**
 * The parts that tests share: contracts that every part of one kind must keep, and the parts that stand in for the
 * world.
 */
@NullMarked
package io.pilothouse.testkit;

import org.jspecify.annotations.NullMarked;
