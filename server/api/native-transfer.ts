import type { Invocation } from './explorer';

/**
 * Whether a call brings no data: it is about the chain's own asset alone, whatever code may run at its receipt. The interface gives such a
 * call the selector `fallback`.
 */
export const isNativeTransfer = ({
  operation,
  decodedMethod,
  selector,
  callData,
}: Pick<Invocation, 'operation' | 'decodedMethod' | 'selector' | 'callData'>): boolean =>
  operation === 'CALL' &&
  decodedMethod === null &&
  selector === 'fallback' &&
  /^(0x)?$/.test(callData);
