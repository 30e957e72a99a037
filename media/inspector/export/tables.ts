import type { AssetChange, Invocation } from '../../../server/api/explorer';
import { shownChanges, type ComparedBalances } from '../../../server/api/shown-change';
import type { NetAmount } from '../../../server/api/net-amount';
import type { FundFlow } from '../../../server/api/views';
import { wholeCallData } from '../copy/call-data';
import { changeProof, shownNet } from '../../../server/presentation/change-evidence';
import { guessOf } from '../../../server/presentation/guesses';
import { methodName } from '../../../server/presentation/lines';
import type { Names } from '../../../server/presentation/segment';
import {
  isContradicted,
  measuredText,
  transferAmount,
  transferProof,
} from '../../../server/presentation/transfer-evidence';
import type { FlowRow } from '../protocol/protocol';

/** Complete plain values in rows, for spreadsheets, scripts and reports. An unknown value is an empty cell. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

/** `plain`: an unknown amount is empty. `withUnits`: it is in the smallest unit, as `500 raw`. */
type Amounts = 'plain' | 'withUnits';

const signed = (net: NetAmount | undefined, magnitude: string | undefined): string =>
  !net || !magnitude || net.sign || net.rawAmount === '0' ? (magnitude ?? '') : `-${magnitude}`;

/**
 * One row for each asset of each account. Amounts and USD are negative for outflows. `change` is the measured change of the balance where
 * it is known, else what events and calls claim. `verified`: whether the two are equal; empty where the balance was not compared. `told`:
 * whether an event or a call reports a change. `claimed`: what these claim, where it differs. `proof`: all of this in words.
 */
export function balancesTable(
  balances: ComparedBalances,
  names: Names,
  amounts: Amounts = 'plain',
): Table {
  const inUnit = (net: NetAmount | undefined, asset: AssetChange): string =>
    amounts === 'plain' ? signed(net, net?.amount) : net ? shownNet(net, asset) : '';
  const columns = ['account', 'accountName', 'asset', 'symbol', 'tokenId', 'change'];
  return {
    columns: [...columns, 'rawChange', 'usd', 'verified', 'told', 'claimed', 'rawClaimed', 'proof'],
    rows: shownChanges(balances).map((change) => {
      const { account, asset, rawAmount, value, evidence, claimed } = change;
      const { address, symbol, tokenId, verified } = asset;
      return [
        account,
        names(account) ?? '',
        address,
        symbol ?? names(address) ?? '',
        tokenId ?? '',
        inUnit(change, asset),
        signed(change, rawAmount),
        signed(change, value),
        verified === undefined ? '' : String(verified),
        String(evidence !== 'unreported'),
        inUnit(claimed, asset),
        signed(claimed, claimed?.rawAmount),
        changeProof(evidence),
      ];
    }),
  };
}

/**
 * One row for each transfer that was not reverted, in order. `verified`: whether the measured changes of both sides equal those of all
 * their transfers; empty where they were not compared. `measured`: the changes of the sides that differ; `usd` is then empty. `proof`:
 * what the transfer rests on, in words.
 */
export function transfersTable(
  { fundFlow }: Pick<FundFlow, 'fundFlow'>,
  names: Names,
  amounts: Amounts = 'plain',
): Table {
  const columns = ['order', 'from', 'fromName', 'to', 'toName', 'asset', 'symbol', 'standard'];
  return {
    columns: [
      ...columns,
      'tokenId',
      'amount',
      'rawAmount',
      'usd',
      'nodeId',
      'verified',
      'measured',
      'proof',
    ],
    rows: fundFlow.map((transfer) => [
      String(transfer.order),
      transfer.from,
      names(transfer.from) ?? '',
      transfer.to,
      names(transfer.to) ?? '',
      transfer.asset,
      transfer.symbol ?? names(transfer.asset) ?? '',
      transfer.standard,
      transfer.tokenId ?? '',
      amounts === 'plain' ? transfer.amount : transferAmount(transfer),
      transfer.rawAmount,
      isContradicted(transfer) ? '' : transfer.value,
      String(transfer.nodeId),
      transfer.verified === undefined ? '' : String(transfer.verified),
      measuredText(transfer),
      transferProof(transfer),
    ]),
  };
}

/** One row for each log, including reverted ones. `arguments` is JSON; `decodedBy` as of `callsTable`. */
export function eventsTable(rows: readonly FlowRow[], names: Names): Table {
  const columns = ['id', 'contract', 'contractName', 'event', 'signature', 'arguments'];
  return {
    columns: [...columns, 'topics', 'data', 'reverted', 'decodedBy'],
    rows: rows.flatMap((row) => {
      if (row.nodeType === 0) return [];
      const { id, contract, decodedLog, topics, logData, revert } = row.event;
      return [
        [
          String(id),
          contract,
          names(contract) ?? '',
          decodedLog.name,
          decodedLog.signature,
          JSON.stringify(decodedLog.params),
          topics.join(' '),
          logData,
          String(revert),
          decodedLog.source ?? '',
        ],
      ];
    }),
  };
}

function callCells(call: Invocation, depth: number, names: Names): string[] {
  const { id, operation, fromAddress, address, value, gasUsed, decodedMethod } = call;
  const params = decodedMethod?.callParams ?? call.guessedParams ?? [];
  return [
    String(id),
    String(depth),
    operation,
    fromAddress,
    names(fromAddress) ?? '',
    address,
    names(address) ?? '',
    value,
    String(gasUsed),
    methodName(call),
    decodedMethod?.signature ?? '',
    JSON.stringify(params),
    JSON.stringify(decodedMethod?.returnParams ?? []),
    wholeCallData(call),
    call.output,
    String(call.status),
    String(call.revert),
    call.revertMessage || call.errorInfo,
    decodedMethod?.source ?? '',
    guessOf(call) ?? '',
  ];
}

/**
 * One row for each call, in execution order. `value` is in ether; `arguments` and `returns` are JSON. `decodedBy`: who knows the names of
 * the method; `workspace`, `packages` and `4byte` matched the selector alone. `guessed`: what of the call is a guess, `names` or
 * `argumentTypes`; empty for nothing.
 */
export function callsTable(rows: readonly FlowRow[], names: Names): Table {
  const columns = ['id', 'depth', 'type', 'from', 'fromName', 'to', 'toName', 'value', 'gasUsed'];
  return {
    columns: [
      ...columns,
      'method',
      'signature',
      'arguments',
      'returns',
      'callData',
      'output',
      'succeeded',
      'reverted',
      'reason',
      'decodedBy',
      'guessed',
    ],
    rows: rows.flatMap((row) =>
      row.nodeType === 0 ? [callCells(row.invocation, row.depth, names)] : [],
    ),
  };
}

/** Some columns of a table, in the given order. */
export function pick({ columns, rows }: Table, ...wanted: readonly string[]): Table {
  const places = wanted.map((column) => columns.indexOf(column));
  return { columns: wanted, rows: rows.map((row) => places.map((place) => row[place] ?? '')) };
}

/** Without the columns that are empty in every row, for what people read. */
export const withoutEmpty = (table: Table): Table =>
  pick(table, ...table.columns.filter((_, at) => table.rows.some((row) => row[at] !== '')));
