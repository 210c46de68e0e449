/** The verbs of the API, one class per resource: decide on what was asked, then one transaction. */
@NullMarked
package io.pilothouse.core.operation;

import org.jspecify.annotations.NullMarked;
