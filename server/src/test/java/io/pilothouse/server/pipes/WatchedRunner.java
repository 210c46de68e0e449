package io.pilothouse.server.pipes;

import io.pilothouse.core.pipe.Pipe;
import io.pilothouse.core.pipe.PipeRunner;
import io.pilothouse.core.pipe.ReversePrivateEndpoint;
import io.pilothouse.core.pipe.ReversePrivateEndpoint.Status;
import io.pilothouse.core.port.PlaneFault;

/** Tells of the moments before and after each effect, where a process may die or a runner fail. */
record WatchedRunner(PipeRunner runner, Watcher watcher) implements PipeRunner {

    /** Hears of a moment, and may end it with a fault. */
    @FunctionalInterface
    interface Watcher {
        void at(String moment) throws PlaneFault;
    }

    @Override
    public PipeSight observe(Pipe pipe) throws PlaneFault {
        watcher.at("observe");
        return runner.observe(pipe);
    }

    @Override
    public void start(Pipe pipe) throws PlaneFault {
        watcher.at("before start");
        runner.start(pipe);
        watcher.at("after start");
    }

    @Override
    public void stop(Pipe pipe) throws PlaneFault {
        watcher.at("before stop");
        runner.stop(pipe);
        watcher.at("after stop");
    }

    @Override
    public void erase(Pipe pipe) throws PlaneFault {
        watcher.at("before erase");
        runner.erase(pipe);
        watcher.at("after erase");
    }

    @Override
    public Status observe(ReversePrivateEndpoint endpoint) throws PlaneFault {
        watcher.at("observe");
        return runner.observe(endpoint);
    }

    @Override
    public void lay(ReversePrivateEndpoint endpoint) throws PlaneFault {
        watcher.at("before lay");
        runner.lay(endpoint);
        watcher.at("after lay");
    }

    @Override
    public void remove(ReversePrivateEndpoint endpoint) throws PlaneFault {
        watcher.at("before remove");
        runner.remove(endpoint);
        watcher.at("after remove");
    }
}
