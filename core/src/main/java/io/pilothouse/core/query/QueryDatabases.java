package io.pilothouse.core.query;

import io.pilothouse.core.port.PlaneFault;
import io.pilothouse.core.service.Service;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * The databases that query endpoints ask, as the plane that runs them knows them; each has users of this program's own
 * for it, one for each role. Safe for many threads.
 */
public interface QueryDatabases {
    /** Why no service can be asked; empty if services can. */
    Optional<String> refusal();

    /**
     * Begins to use the database of a service, which counts as used until the use is closed.
     *
     * @throws PlaneFault if the service has none
     */
    Use use(Service service) throws PlaneFault;

    /** The databases of a plane that has none. */
    static QueryDatabases none(String reason) {
        return new QueryDatabases() {
            @Override
            public Optional<String> refusal() {
                return Optional.of(reason);
            }

            @Override
            public Use use(Service service) throws PlaneFault {
                throw new PlaneFault(reason);
            }
        };
    }

    /** One use of a database. All but {@code cancel} is called by one thread. */
    interface Use extends AutoCloseable {
        /** Whether it can be asked at once; from memory, and wakes nothing. */
        boolean isReady();

        /**
         * Makes it run, and returns once it does.
         *
         * @throws PlaneFault if it does not come to run in time
         */
        void awaken() throws PlaneFault, InterruptedException;

        /**
         * Runs one statement, and returns when its answer begins; waits for a database that is restarted meanwhile.
         *
         * @throws PlaneFault if there is no answer, also after {@code cancel}
         */
        Reply run(QueryRole role, QueryStatement statement) throws PlaneFault, InterruptedException;

        /** Ends what runs, also in the database; may be called by any thread, at any time and again. */
        void cancel();

        /** Ends what is left of it. */
        @Override
        void close();
    }

    /** An answer of a database: what it says about it, and content that is read while it is passed on. */
    interface Reply {
        UUID queryId();

        int status();

        /** Its header fields, by name whatever its case. */
        Map<String, String> fields();

        /**
         * Passes the content on as it comes.
         *
         * @throws PlaneFault if it breaks off
         */
        void writeTo(OutputStream out) throws PlaneFault;
    }
}
