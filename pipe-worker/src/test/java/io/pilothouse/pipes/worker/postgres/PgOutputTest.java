package io.pilothouse.pipes.worker.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.pilothouse.pipes.worker.postgres.PgOutput.Cell;
import io.pilothouse.pipes.worker.postgres.PgOutput.Message;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the messages of the plug-in are read; the bytes are as its documentation lays them out. */
class PgOutputTest {
    private static Message read(String bytes) {
        return PgOutput.read(ByteBuffer.wrap(HexFormat.of().parseHex(bytes.replace(" ", ""))));
    }

    @Test
    void transactionBeginsWithThePositionOfItsCommit() {
        assertThat(read("42 00000000016E3B28 0002A1B2C3D4E5F6 000002E9"))
                .isEqualTo(new Message.Begin(0x16E3B28, 946_684_800_000L + 0x0002A1B2C3D4E5F6L / 1000));
        assertThat(read("43 00 00000000016E3B28 00000000016E3B58 0002A1B2C3D4E5F6"))
                .isEqualTo(new Message.Commit(0x16E3B58));
    }

    @Test
    void relationHasColumnsOfWhichSomeAreItsIdentity() {
        assertThat(
                        read(
                                "52 00004000 7075626C696300 7400 64 0002 01 696400 00000014 FFFFFFFF 00 6E00 00000019 FFFFFFFF"))
                .isEqualTo(new Message.Relation(0x4000, "public", "t", List.of("id", "n"), List.of("id")));
    }

    @Test
    void rowHasTextsNullsAndWhatWasLeftAsItWas() {
        assertThat(read("49 00004000 4E 0002 74 00000002 C3BC 6E"))
                .isEqualTo(new Message.Insert(0x4000, List.of(new Cell.Text("ü"), new Cell.Nothing())));
        assertThat(read("55 00004000 4E 0002 74 00000001 37 75"))
                .isEqualTo(new Message.Update(0x4000, null, List.of(new Cell.Text("7"), new Cell.Unchanged())));
        assertThat(read("55 00004000 4B 0001 74 00000001 36 4E 0001 74 00000001 37"))
                .isEqualTo(new Message.Update(0x4000, List.of(new Cell.Text("6")), List.of(new Cell.Text("7"))));
        assertThat(read("44 00004000 4B 0001 74 00000001 36"))
                .isEqualTo(new Message.Delete(0x4000, List.of(new Cell.Text("6"))));
    }

    @Test
    void tablesAreTruncatedTogether() {
        assertThat(read("54 00000002 00 00004000 00004001")).isEqualTo(new Message.Truncate(List.of(0x4000, 0x4001)));
        assertThat(read("4F 00")).isEqualTo(new Message.Other());
    }
}
