/** What ClickHouse's Terraform provider says for a request of the API. */
@NullMarked
package io.pilothouse.console.terraform;

import org.jspecify.annotations.NullMarked;
