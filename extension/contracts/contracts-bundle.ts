import '../editor/translations';

/** What needs the encoding of calls, and is therefore loaded on first use. */
export { addContract } from './add-contract';
export { deployContract } from './deploy-contract';
export { createdContract } from './find-interface';
export { functionNodes } from './contract-functions';
export { useFunction } from './use-function';
