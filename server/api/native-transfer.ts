import type { Invocation } from './explorer';

/**
 * Whether a call has no data, and therefore only transfers the native asset, whatever code the receiver runs. The interface sets the
 * selector of such a call to `fallback`.
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
