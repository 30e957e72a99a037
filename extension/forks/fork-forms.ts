// Entry of a bundle of its own: what commands of forks ask the user.
import '../editor/translations';

export { branchBefore, createForkBefore, createForkInteractively } from './create-fork';
export { fundAccount } from './fund-account';
export { sendRpcRequest } from './send-rpc-request';
