import * as l10n from '@vscode/l10n';
import { NODE_TYPE, type InvocationFlow } from '../api/explorer';
import { addressSchema, type Address, type Hex } from '../api/primitives';
import type { SimulateBody } from '../api/simulate';
import { parseAmount, withoutSeparators } from './amounts';

/** The call of a transaction. */
export interface TransactionCall {
  from: string;
  /** null for a creation; its data is the init code. */
  to: string | null;
  /** Wei. */
  value: bigint;
  /** 0x hex */
  data: string;
  /** Undefined: no explicit limit. */
  gas: number | undefined;
}

const WEI_DECIMALS = 18;

/** The call of an analyzed transaction. */
export function callOf({
  transaction,
  dataMap,
}: Pick<InvocationFlow, 'transaction' | 'dataMap'>): TransactionCall {
  const { from, to, value } = transaction;
  const top = dataMap['0'];
  const invocation = top?.nodeType === NODE_TYPE.invocation ? top.invocation : undefined;
  const { selector = '', callData = '0x' } = invocation ?? {};
  return {
    from,
    to,
    value: parseAmount(value, WEI_DECIMALS) ?? 0n,
    data: selector.startsWith('0x') ? selector + callData.slice(2) : callData,
    gas: undefined,
  };
}

/** The call as request parameters of the service and of a fork. */
export const requestOf = ({ from, to, value, data, gas }: TransactionCall): CallRequest => ({
  from: from as Address,
  value: hex(value),
  data: data as Hex,
  ...(to === null ? {} : { to: to as Address }),
  ...(gas === undefined ? {} : { gas: hex(gas) }),
});

interface CallRequest {
  from: Address;
  to?: Address;
  value: Hex;
  data: Hex;
  gas?: Hex;
}

/** Lists that a transaction carries besides its call: warm slots, authorizations (EIP-7702) and hashes of blobs. */
export function listsOf(
  { accessList, authorizations, blobs }: InvocationFlow['transaction'],
  { to }: Pick<TransactionCall, 'to'>,
): Pick<SimulateBody, 'accessList' | 'authorizationList'> & Blobs {
  // A creation has neither authorizations nor blobs.
  const isCreation = to === null;
  const isSigned = authorizations?.every(({ r }) => r !== undefined) === true;
  const authorizationList = authorizations?.map(({ address, chainId, nonce, yParity, r, s }) => ({
    address,
    yParity,
    r,
    s,
    chainId: hex(BigInt(chainId)),
    nonce: hex(BigInt(nonce)),
  }));
  const lists = {
    ...(accessList && { accessList }),
    ...(!isCreation && isSigned && { authorizationList }),
    ...(!isCreation &&
      blobs && {
        blobVersionedHashes: blobs.versionedHashes,
        maxFeePerBlobGas: hex(BigInt(blobs.maxFeePerGas)),
      }),
  };
  // Addresses and quantities are those of a node's answer.
  return lists as ReturnType<typeof listsOf>;
}

type Blobs = Pick<SimulateBody, 'blobVersionedHashes' | 'maxFeePerBlobGas'>;

/** Simulates a call where an analyzed transaction was executed: on the same state, in the same block, with its lists. */
export const simulationAt = (
  { transaction }: Pick<InvocationFlow, 'transaction'>,
  call: TransactionCall,
): CallRequest & ReturnType<typeof listsOf> & { height: Hex; position: number } => ({
  ...requestOf(call),
  ...listsOf(transaction, call),
  height: hex(transaction.blockNumber),
  position: transaction.position,
});

const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;

export type CallField = keyof TransactionCall;

interface FieldRule {
  label: string;
  prompt: string;
  /** The text that the user sees and edits. */
  text: (call: TransactionCall) => string;
  /** The call with a new value; undefined if the text is invalid. */
  change: (call: TransactionCall, text: string) => TransactionCall | undefined;
  accepted: string;
}

const addressOf = (text: string): string | undefined => addressSchema.safeParse(text.trim()).data;

/** Presentation and validation of each field. */
export const CALL_FIELDS: Readonly<Record<CallField, FieldRule>> = {
  from: {
    label: l10n.t('From'),
    prompt: l10n.t('Sender; its key is not needed'),
    text: ({ from }) => from,
    change: (call, text) => withField(call, 'from', addressOf(text)),
    accepted: l10n.t('An address is 0x and 40 hex digits.'),
  },
  to: {
    label: l10n.t('To'),
    prompt: l10n.t('Receiver; empty: a creation, whose data is the init code'),
    text: ({ to }) => to ?? '',
    change: (call, text) => withField(call, 'to', text.trim() === '' ? null : addressOf(text)),
    accepted: l10n.t('An address is 0x and 40 hex digits; leave it empty for a creation.'),
  },
  value: {
    label: l10n.t('Value'),
    prompt: l10n.t('Value in wei'),
    text: ({ value }) => value.toString(),
    change: (call, text) => withField(call, 'value', parseAmount(text, 0)),
    accepted: l10n.t('Enter wei: a whole number, less than 2^256.'),
  },
  data: {
    label: l10n.t('Data'),
    prompt: l10n.t('Call data'),
    text: ({ data }) => data,
    change: (call, text) =>
      withField(
        call,
        'data',
        /^0x([0-9a-f]{2})*$/i.test(text.trim()) ? text.trim().toLowerCase() : undefined,
      ),
    accepted: l10n.t('Data is 0x and an even number of hex digits.'),
  },
  gas: {
    label: l10n.t('Gas'),
    prompt: l10n.t('Gas limit; empty: as much as it takes'),
    text: ({ gas }) => (gas === undefined ? '' : String(gas)),
    change: (call, text) => {
      const plain = withoutSeparators(text);
      if (plain === '') return { ...call, gas: undefined };
      return /^\d{4,9}$/.test(plain) ? { ...call, gas: Number(plain) } : undefined;
    },
    accepted: l10n.t('Enter gas: a whole number from 1,000 to 999,999,999, or nothing.'),
  },
};

function withField<Field extends CallField>(
  call: TransactionCall,
  field: Field,
  value: TransactionCall[Field] | undefined,
): TransactionCall | undefined {
  return value === undefined ? undefined : { ...call, [field]: value };
}
