/** Errors of operations that read from the node of a chain or from a fork. */
export const CHAIN_ERRORS = [
  'chainNotFound',
  'upstreamUnreachable',
  'upstreamLacksData',
  'engineUnavailable',
  'timedOut',
] as const;
