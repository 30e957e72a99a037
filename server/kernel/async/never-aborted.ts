/** The signal of work that nobody can cancel. A signal per call, so that listeners do not gather on a shared one. */
export const neverAborted = (): AbortSignal => new AbortController().signal;
