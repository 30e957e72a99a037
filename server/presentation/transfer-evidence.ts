import * as l10n from '@vscode/l10n';
import type { FundTransfer } from '../api/views';
import { inUnits } from '../api/whole-units';
import { signed } from './decimal';

/** How far a transfer is more than what an event claims. */
type TransferEvidence =
  /** The balances of its sides changed by all their transfers. */
  | 'measured'
  /** The balance of a side changed by another amount. */
  | 'contradicted'
  /** A call moved it. The balances were not compared. */
  | 'called'
  /** An event says so. The balances were not compared. */
  | 'claimed';

type Proved = Pick<FundTransfer, 'standard' | 'verified'>;

function evidenceOf({ standard, verified }: Proved): TransferEvidence {
  if (verified !== undefined) return verified ? 'measured' : 'contradicted';
  return standard === 'native' ? 'called' : 'claimed';
}

const PROOFS: Readonly<Record<TransferEvidence, string>> = {
  measured: 'measured',
  contradicted: 'claimed only',
  called: 'by a call, not measured',
  claimed: 'not measured',
};

/** What a transfer rests on, for a column of a table. The same in every language, as all that is copied. */
export const transferProof = (transfer: Proved): string => PROOFS[evidenceOf(transfer)];

/** The same with what was measured instead: `claimed only; measured: 0x… +90`. */
export function transferProofText(
  transfer: FundTransfer,
  nameOf: (address: string) => string,
): string {
  const proof = transferProof(transfer);
  return isContradicted(transfer) ? `${proof}; measured: ${measuredText(transfer, nameOf)}` : proof;
}

/** Whether the state contradicts a transfer, so that nothing like it moved: its worth in USD is then shown nowhere. */
export const isContradicted = (transfer: Proved): boolean =>
  evidenceOf(transfer) === 'contradicted';

/** What the balances of the sides changed by, where the state contradicts the transfer: `0x… +90, 0x… 0`. */
export const measuredText = (
  transfer: FundTransfer,
  nameOf: (address: string) => string = (address) => address,
): string =>
  measuredNets(transfer)
    .map(({ account, plain, unit }) => {
      const net = plain === '0' || plain.startsWith('-') ? plain : `+${plain}`;
      return `${nameOf(account)} ${net}${unit}`;
    })
    .join(', ');

/** An arrow's or a row's amount, with what it rests on: `claims 5,000 USDC`, `5 TAX, not measured`. */
export function markedTransfer(transfer: Proved, text: string): string {
  switch (evidenceOf(transfer)) {
    case 'contradicted':
      return l10n.t('claims {0}', text);
    case 'claimed':
      return l10n.t('{0}, not measured', text);
    case 'called':
    case 'measured':
      return text;
  }
}

/** Follows a transfer that only an event claims, or that the state contradicts. */
interface TransferMark {
  readonly isContradicted: boolean;
  readonly text: string;
  readonly title: string;
}

/** @returns undefined for a transfer that is measured, or that a call moved */
export function transferMark(
  transfer: FundTransfer,
  nameOf: (address: string) => string,
): TransferMark | undefined {
  switch (evidenceOf(transfer)) {
    case 'called':
    case 'measured':
      return undefined;
    case 'claimed':
      return {
        isContradicted: false,
        text: l10n.t('not measured'),
        title: l10n.t('Events say so. The balance was not compared with the state'),
      };
    case 'contradicted': {
      const changes = measuredNets(transfer)
        .map(({ account, plain, unit }) => `${nameOf(account)} ${signed(plain)}${unit}`)
        .join(', ');
      return {
        isContradicted: true,
        text: l10n.t('claimed; measured: {0}', changes),
        title: l10n.t('Measured: {0}', changes),
      };
    }
  }
}

type Amount = Pick<FundTransfer, 'standard' | 'amount' | 'rawAmount'>;

/** The amount of a transfer in a table: `4.5`, `500 raw` where the decimals of a token are unknown. */
export const transferAmount = ({ standard, amount, rawAmount }: Amount): string =>
  amount === '' ? `${rawAmount}${standard === 'erc20' ? ' raw' : ''}` : amount;

const NATIVE_DECIMALS = 18;

/** Measured changes as signed plain decimals; ` raw` follows those in the smallest unit. */
function measuredNets({
  standard,
  decimals = standard === 'native' ? NATIVE_DECIMALS : undefined,
  measured = [],
}: FundTransfer): { account: string; plain: string; unit: string }[] {
  return measured.map(({ account, rawAmount, sign }) => {
    const minus = sign || rawAmount === '0' ? '' : '-';
    const isRaw = decimals === undefined && standard === 'erc20' && rawAmount !== '0';
    const plain = `${minus}${decimals === undefined ? rawAmount : inUnits(rawAmount, decimals)}`;
    return { account, plain, unit: isRaw ? ' raw' : '' };
  });
}
