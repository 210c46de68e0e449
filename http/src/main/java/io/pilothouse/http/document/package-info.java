/** The OpenAPI documents, made of what is written and of the rules that it is marked with. */
@NullMarked
package io.pilothouse.http.document;

import org.jspecify.annotations.NullMarked;
