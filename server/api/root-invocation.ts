import type { Invocation } from './explorer';

/** The root of every invocation flow: an empty frame around the top call, whose depth is 0. */
export const ROOT_INVOCATION: Invocation = {
  fromAddress: '',
  address: '',
  operation: '',
  value: '',
  callData: '',
  decodedMethod: null,
  methodDecoded: false,
  selector: '',
  gasUsed: 0,
  id: -1,
  output: '',
  status: false,
  revert: false,
  revertMessage: '',
  errorInfo: '',
};
