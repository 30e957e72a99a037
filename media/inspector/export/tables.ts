import type { AssetChange, BalanceChange, Invocation } from '../../../server/api/explorer';
import type { FundFlow } from '../../../server/api/views';
import { unreportedChanges } from '../model/balance-model';
import { wholeCallData } from '../copy/call-data';
import { methodName } from '../grammar/lines';
import type { Names } from '../grammar/segment';
import type { FlowRow } from '../protocol/protocol';

/** Complete plain values in rows, for spreadsheets, scripts and reports. An unknown value is an empty cell. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

const signed = (inflow: boolean, magnitude: string): string =>
  magnitude === '' || inflow ? magnitude : `-${magnitude}`;

/**
 * One row for each asset of each account. Amounts and USD are negative for outflows. `told`: an event or a call reports the
 * change; otherwise it is the change of the balance itself.
 */
export function balancesTable(balances: BalanceChange, names: Names): Table {
  const columns = ['account', 'accountName', 'asset', 'symbol', 'tokenId', 'change'];
  const row = (account: string, asset: AssetChange, isReported: boolean): string[] => {
    const { address, symbol, tokenId, sign, amount, rawAmount, value, verified } = asset;
    return [
      ...[account, names(account) ?? '', address, symbol ?? names(address) ?? '', tokenId ?? ''],
      ...[signed(sign, amount), signed(sign, rawAmount), signed(sign, value)],
      ...[verified === undefined ? '' : String(verified), String(isReported)],
    ];
  };
  return {
    columns: [...columns, 'rawChange', 'usd', 'verified', 'told'],
    rows: [
      ...balances.balanceChange.flatMap(({ account, assets }) =>
        assets.map((asset) => row(account, asset, true)),
      ),
      ...unreportedChanges(balances).map(({ account, asset }) => row(account, asset, false)),
    ],
  };
}

/** One row for each transfer that was not reverted, in order. */
export function transfersTable({ fundFlow }: Pick<FundFlow, 'fundFlow'>, names: Names): Table {
  const columns = ['order', 'from', 'fromName', 'to', 'toName', 'asset', 'symbol', 'standard'];
  return {
    columns: [...columns, 'tokenId', 'amount', 'rawAmount', 'usd', 'nodeId'],
    rows: fundFlow.map((transfer) => [
      ...[String(transfer.order), transfer.from, names(transfer.from) ?? ''],
      ...[transfer.to, names(transfer.to) ?? '', transfer.asset],
      ...[transfer.symbol ?? names(transfer.asset) ?? '', transfer.standard],
      ...[transfer.tokenId ?? '', transfer.amount, transfer.rawAmount, transfer.value],
      String(transfer.nodeId),
    ]),
  };
}

/** One row for each log, including reverted ones. `arguments` is JSON. */
export function eventsTable(rows: readonly FlowRow[], names: Names): Table {
  const columns = ['id', 'contract', 'contractName', 'event', 'signature', 'arguments'];
  return {
    columns: [...columns, 'topics', 'data', 'reverted'],
    rows: rows.flatMap((row) => {
      if (row.nodeType === 0) return [];
      const { id, contract, decodedLog, topics, logData, revert } = row.event;
      return [
        [
          ...[String(id), contract, names(contract) ?? '', decodedLog.name, decodedLog.signature],
          ...[JSON.stringify(decodedLog.params), topics.join(' '), logData, String(revert)],
        ],
      ];
    }),
  };
}

function callCells(call: Invocation, depth: number, names: Names): string[] {
  const { id, operation, fromAddress, address, value, gasUsed, decodedMethod } = call;
  return [
    ...[String(id), String(depth), operation, fromAddress, names(fromAddress) ?? ''],
    ...[address, names(address) ?? '', value, String(gasUsed), methodName(call)],
    ...[decodedMethod?.signature ?? '', JSON.stringify(decodedMethod?.callParams ?? [])],
    ...[JSON.stringify(decodedMethod?.returnParams ?? []), wholeCallData(call), call.output],
    ...[String(call.status), String(call.revert), call.revertMessage || call.errorInfo],
  ];
}

/** One row for each call, in execution order. `value` is in ether; `arguments` and `returns` are JSON. */
export function callsTable(rows: readonly FlowRow[], names: Names): Table {
  const columns = ['id', 'depth', 'type', 'from', 'fromName', 'to', 'toName', 'value', 'gasUsed'];
  return {
    columns: [
      ...[...columns, 'method', 'signature', 'arguments', 'returns', 'callData', 'output'],
      ...['succeeded', 'reverted', 'reason'],
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
