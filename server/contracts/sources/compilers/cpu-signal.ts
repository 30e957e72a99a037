/** Ends the process of a compiler at the limit of its processor time. By default it ends a process, and writes no core. */
export const CPU_SIGNAL = 'SIGVTALRM';
