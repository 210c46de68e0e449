package io.pilothouse.http.api;

import io.pilothouse.core.backup.Backup;
import io.pilothouse.core.backup.BackupProof;
import io.pilothouse.core.backup.BackupView;
import io.pilothouse.core.service.BackupConfiguration;
import io.pilothouse.http.json.JsonWriter;
import io.pilothouse.http.json.TreeJson;

/** Backups as clients see them. */
public final class BackupJson {
    private BackupJson() {}

    static void write(JsonWriter out, BackupView view) {
        Backup backup = view.backup();
        out.startObject();
        out.id("id", backup.id());
        out.text("status", backup.state().word().orElse(null));
        out.id("serviceId", backup.serviceId());
        out.time("startedAt", backup.createdAt());
        if (backup.state() == Backup.State.DONE) {
            out.time("finishedAt", backup.endedAt());
            out.whole("sizeInBytes", backup.sizeInBytes());
        }
        out.whole("durationInSeconds", view.durationInSeconds());
        out.text("type", "full");
        if (view.bucket() != null) {
            out.text("backupName", Backup.objectName(backup.serviceId(), backup.id()));
            TreeJson.write(out, "bucket", view.bucket());
        }
        if (backup.state() != Backup.State.IN_PROGRESS) {
            out.text("error", backup.trouble());
        }
        if (backup.proof() != null) {
            writeProof(out, backup.proof());
        }
        out.endObject();
    }

    /** What came of its last proof. */
    public static void writeProof(JsonWriter out, BackupProof proof) {
        out.startObject("proof");
        out.text("status", proof.outcome().word());
        out.time("provenAt", proof.at());
        if (proof.outcome() == BackupProof.Outcome.RESTORABLE) {
            out.whole("parts", proof.parts());
            out.whole("rows", proof.rows());
        }
        if (proof.problem() != null) {
            out.text("problem", proof.problem());
        }
        out.endObject();
    }

    static void writeConfiguration(JsonWriter out, BackupConfiguration configuration) {
        out.startObject();
        out.whole("backupPeriodInHours", configuration.periodHours());
        out.whole("backupRetentionPeriodInHours", configuration.retentionHours());
        out.text("backupStartTime", configuration.startTime());
        out.endObject();
    }
}
