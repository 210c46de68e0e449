package io.pilothouse.pipes.worker.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which type of column a type of PostgreSQL becomes; the values themselves are tried against real servers. */
class ColumnTypeTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "int2; -1; Int16",
                "int8; -1; Int64",
                "bool; -1; Bool",
                "float4; -1; Float32",
                "uuid; -1; UUID",
                "date; -1; Date32",
                "timestamptz; -1; DateTime64(6)",
                "jsonb; -1; String",
                "time; -1; String",
                "some_type; -1; String",
                "numeric; -1; Decimal(76, 38)",
                // numeric(10, 3): the precision above, the scale below, and four on top.
                "numeric; 655367; Decimal(10, 3)",
                // numeric(80, 3) has more digits than a column, numeric(2, -3) no scale that one has.
                "numeric; 5242887; String",
                "numeric; 133121; String"
            })
    void typeHasItsColumn(String name, int modifier, String type) {
        assertThat(ColumnType.of(name, modifier, null).type()).isEqualTo(type);
    }

    @ParameterizedTest
    @CsvSource({"int4, Array(Int32)", "text, Array(String)", "uuid, Array(String)", "bool, Array(Bool)"})
    void arrayHasItsElements(String element, String type) {
        assertThat(ColumnType.of("_" + element, -1, element).type()).isEqualTo(type);
    }

    @Test
    void nullIsKeptOnlyWhereTheColumnMayHoldIt() {
        ColumnType number = ColumnType.of("int4", -1, null);
        assertThat(number.typeOf(true)).isEqualTo("Nullable(Int32)");
        assertThat(number.value("c0", true)).isEqualTo("c0");
        assertThat(number.typeOf(false)).isEqualTo("Int32");
        assertThat(number.value("c0", false)).isEqualTo("ifNull(c0, defaultValueOfTypeName('Int32'))");
        assertThat(ColumnType.of("_int4", -1, "int4").typeOf(true)).isEqualTo("Array(Int32)");
    }
}
