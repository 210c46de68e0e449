package io.pilothouse.console.query;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SqlOutlineTest {
    private static SqlOutline of(String sql) {
        return SqlOutline.of(sql);
    }

    @Test
    void whatReadsRowsAsAWholeIsPaged() {
        assertThat(new String[] {
                    "SELECT 1",
                    " /* INSERT */ -- INSERT\n select 1",
                    "WITH 1 AS x SELECT x",
                    "(SELECT 1)",
                    "SELECT * EXCEPT (x) FROM (SELECT 1 UNION ALL SELECT 2)",
                    "FROM t SELECT x"
                })
                .allMatch(sql -> of(sql).isPaged());
        assertThat(new String[] {
                    "INSERT INTO t SELECT 1",
                    "SHOW TABLES",
                    "SELECTED",
                    "'SELECT 1'",
                    "",
                    "-- SELECT 1",
                    "/*",
                    "SELECT 1 UNION ALL SELECT 2",
                    "(SELECT 1) INTERSECT (SELECT 2)",
                    "SELECT x FROM t EXCEPT (SELECT 2)"
                })
                .noneMatch(sql -> of(sql).isPaged());
    }

    @Test
    void onlyAnOrderOfTheWholeIsOne() {
        assertThat(new String[] {
                    "SELECT x FROM t ORDER BY x",
                    "SELECT f(x, ')') FROM t order\n by x LIMIT 5",
                    "SELECT 'it\\'s', 'it''s' FROM t ORDER BY 1"
                })
                .allMatch(sql -> of(sql).isOrdered());
        assertThat(new String[] {
                    "SELECT x FROM t",
                    "SELECT x FROM (SELECT x FROM t ORDER BY x)",
                    "SELECT row_number() OVER (ORDER BY x) FROM t",
                    "SELECT 'ORDER BY' FROM t -- ORDER BY",
                    "SELECT \"a ORDER BY b\", `ORDER BY`, 'ORDER BY"
                })
                .noneMatch(sql -> of(sql).isOrdered());
    }
}
