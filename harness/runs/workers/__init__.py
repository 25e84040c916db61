"""Who places the calls of a run: processes on this machine, or machines of a cluster; when each may dial."""
