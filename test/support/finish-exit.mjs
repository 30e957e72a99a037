/**
 * Mocha sends SIGTERM to the processes of its test files one second after it asked them to exit. Node writes the coverage of a process
 * at its exit, which takes longer on a busy machine. With a listener, the signal does not interrupt an exit that is under way.
 */
if (process.env.MOCHA_WORKER_ID !== undefined) process.on('SIGTERM', () => process.exit(143));
