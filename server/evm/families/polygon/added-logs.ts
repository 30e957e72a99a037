import type { Address, Hash } from '../../../api/primitives';

/** Contract of the native currency, under whose address bor adds logs to receipts without a call of it. */
const NATIVE_TOKEN = '0x0000000000000000000000000000000000001010';
const ADDED_EVENTS: ReadonlySet<string> = new Set([
  // LogTransfer(address,address,address,uint256,uint256,uint256,uint256,uint256)
  '0xe6497e3ee548a3372136af2fcb0696db31fc6cf20260707645068bd3fe97f3c4',
  // LogFeeTransfer(address,address,address,uint256,uint256,uint256,uint256,uint256)
  '0x4dfe1bbbcf077ddc3e01291eea2d5c70c2b422b415d95645b9adcfd678cb1d63',
]);

interface AnyLog {
  readonly address: Address;
  readonly topics: readonly Hash[];
}

/** Whether the chain itself adds such a log, for a transfer of its currency or for the fee: an engine does not. */
export const isAddedByChain = ({ address, topics: [event = '0x'] }: AnyLog): boolean =>
  address.toLowerCase() === NATIVE_TOKEN && ADDED_EVENTS.has(event.toLowerCase());

/** The logs that code emitted. */
export const emittedLogs = <Log extends AnyLog>(logs: readonly Log[]): readonly Log[] =>
  logs.some(isAddedByChain) ? logs.filter((log) => !isAddedByChain(log)) : logs;
