import { EthereumJSError } from '@ethereumjs/util';
import { RejectedTransaction } from '../prefix/block-executor';

/** Errors of the virtual machine about a transaction, without their description of the machine. Other errors stay as they are. */
export function asRejection(error: unknown): unknown {
  if (!(error instanceof EthereumJSError)) return error;
  const [what = ''] = error.message.split(' (vm ');
  return new RejectedTransaction(what, { cause: error });
}
