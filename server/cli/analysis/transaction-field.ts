import { wrongValue } from '../errors/usage-error';
import { weiOf } from './encode-call';

const AMOUNTS: ReadonlySet<string> = new Set([
  'value',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
]);

/** The value of a field of a transaction: amounts may have a unit; the service checks the others. @throws UsageError */
export function valueOf(field: string, text: string): string {
  if (!AMOUNTS.has(field)) return text;
  try {
    return weiOf(text).toString();
  } catch {
    const accepted = 'wei, or an amount with a unit such as 1.5ether or 20gwei';
    throw wrongValue(`--set ${field}`, text, accepted);
  }
}
