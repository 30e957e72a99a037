/** JSON-RPC error codes that the service returns or recognizes. */
export const RPC_CODES = {
  // JSON-RPC 2.0 §5.1
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  // EIP-1474, "Error codes"
  invalidInput: -32000,
  notFound: -32001,
  unavailable: -32002,
  transactionRejected: -32003,
  notSupported: -32004,
  limitExceeded: -32005,
  // `eth_simulateV1` (execution-apis)
  executionFailed: -32015,
  nonceTooLow: -38010,
  nonceTooHigh: -38011,
  feeBelowBaseFee: -38012,
  intrinsicGasTooLow: -38013,
  insufficientFunds: -38014,
  blockGasLimitExceeded: -38015,
  blockNumberNotAscending: -38020,
  timestampNotAscending: -38021,
  precompileMovedToItself: -38022,
  senderHasCode: -38024,
  initCodeTooLarge: -38025,
  simulationTooLarge: -38026,
} as const;
