import {
  NODE_TYPE,
  type AssetChange,
  type BalanceChange,
  type InvocationFlow,
} from '../../api/explorer';
import type { AccountChange, FundFlow, GasProfile, StateDiff } from '../../api/views';
import { plainReading, valueText } from '../../client/value-text';
import { assetText } from '../../client/asset-text';
import { shownChanges } from '../../api/shown-change';
import type { NetAmount } from '../../api/net-amount';
import { changeProof, shownNet } from '../../presentation/change-evidence';
import {
  isContradicted,
  transferAmount,
  transferProofText,
} from '../../presentation/transfer-evidence';
import type { Table } from '../output/format-table';

/** The facts of a view as rows, complete and unformatted, so that both people and programs can read the table. */
type Labels = Readonly<Record<string, string>>;

const nameIn =
  (labels: Labels) =>
  (address: string): string => {
    const name = labels[address];
    return name === undefined ? address : `${name} ${address}`;
  };

const signedNet = (net: NetAmount, asset: AssetChange): string =>
  `${net.sign && net.rawAmount !== '0' ? '+' : ''}${shownNet(net, asset)}`;

/** Measured changes where there are any. `CLAIMED` is what events say instead; it is left out where they say nothing else. */
export function balancesTable(changes: BalanceChange): Table {
  const shown = shownChanges(changes);
  const hasClaims = shown.some(({ claimed }) => claimed !== undefined);
  return {
    columns: ['ACCOUNT', 'ASSET', 'CHANGE', 'USD', ...(hasClaims ? ['CLAIMED'] : []), 'PROOF'],
    rows: shown.map((change) => {
      const { account, asset, value, sign, rawAmount, claimed, evidence } = change;
      const usd = value === '' || rawAmount === '0' ? value : `${sign ? '+' : '-'}${value}`;
      const claim = claimed === undefined ? '' : signedNet(claimed, asset);
      const known = [account, assetText(asset), signedNet(change, asset), usd];
      return [...known, ...(hasClaims ? [claim] : []), changeProof(evidence)];
    }),
  };
}

export function flowTable({ fundFlow, labels }: FundFlow): Table {
  const name = nameIn(labels);
  return {
    columns: ['ORDER', 'FROM', 'TO', 'ASSET', 'AMOUNT', 'USD', 'PROOF'],
    rows: fundFlow.map((transfer) => [
      String(transfer.order),
      name(transfer.from),
      name(transfer.to),
      assetText({ ...transfer, address: transfer.asset }),
      transferAmount(transfer),
      isContradicted(transfer) ? '' : transfer.value,
      transferProofText(transfer, name),
    ]),
  };
}

export function stateTable({ stateDiff, labels }: StateDiff): Table {
  const name = nameIn(labels);
  return {
    columns: ['ACCOUNT', 'WHAT', 'BEFORE', 'AFTER'],
    rows: stateDiff.accounts.flatMap((account) => {
      const { balance, nonce, code, storage } = account;
      const facts: [what: string, before: string, after: string][] = [];
      if (account.created) facts.push(['created', '', '']);
      if (account.destroyed) facts.push(['destroyed', '', '']);
      if (balance !== undefined) facts.push(['balance', balance.before, balance.after]);
      if (nonce !== undefined) facts.push(['nonce', String(nonce.before), String(nonce.after)]);
      if (code !== undefined) facts.push(['code', code.before, code.after]);
      for (const change of storage) facts.push(...slotFacts(change));
      return facts.map((fact) => [name(account.address), ...fact]);
    }),
  };
}

/** `mapping@3[0x…] (inferred)`: a name that rests on a matching hash, not on a storage layout. */
function slotFacts({
  slot,
  before,
  after,
  variables,
  found,
}: AccountChange['storage'][number]): [what: string, before: string, after: string][] {
  if (variables) return variables.map((one) => [one.name, ...bothInUnits(one)]);
  const what = found?.name === undefined ? `slot ${slot}` : `${found.name} (inferred)`;
  const text = { before: found?.before ?? before, after: found?.after ?? after };
  return [[what, ...bothInUnits({ ...text, amount: found?.amount })]];
}

type Variable = NonNullable<AccountChange['storage'][number]['variables']>[number];
type CountedChange = Pick<Variable, 'before' | 'after' | 'amount'>;

/** Both sides in units of a token, where the value counts one: `2000 hUSD`. */
function bothInUnits({ before, after, amount }: CountedChange): [before: string, after: string] {
  if (!amount) return [before, after];
  const unit = amount.symbol ?? amount.asset;
  return [`${amount.before} ${unit}`, `${amount.after} ${unit}`];
}

const count = (gas: number | null): string => (gas === null ? '' : String(gas));

export function gasTable({ gasProfile, labels }: GasProfile): Table {
  const name = nameIn(labels);
  return {
    columns: ['CONTRACT', 'METHOD', 'CALLS', 'SELF GAS', 'TOTAL GAS'],
    rows: gasProfile.contracts.flatMap(({ address, methods }) =>
      methods.map((one) => [
        name(address),
        one.method === '' ? one.selector : `${one.method}${one.isGuessed ? '?' : ''}`,
        String(one.calls),
        count(one.selfGas),
        count(one.totalGas),
      ]),
    ),
  };
}

export function eventsTable({ dataMap, labels }: InvocationFlow): Table {
  const name = nameIn(labels);
  return {
    columns: ['ID', 'CONTRACT', 'EVENT', 'ARGUMENTS', ''],
    rows: Object.values(dataMap).flatMap((node) => {
      if (node.nodeType !== NODE_TYPE.event) return [];
      const { id, contract, decodedLog, logDecoded, topics, logData, revert } = node.event;
      const args = decodedLog.params
        .map((param) => `${param.name}: ${valueText(param, plainReading)}`)
        .join(', ');
      return [
        [
          String(id),
          name(contract),
          logDecoded ? decodedLog.name : (topics[0] ?? 'anonymous'),
          logDecoded ? args : logData,
          revert ? 'rolled back' : '',
        ],
      ];
    }),
  };
}
