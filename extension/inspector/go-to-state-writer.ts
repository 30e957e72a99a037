import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Source } from '../../media/inspector/protocol/protocol';
import type { Writers } from '../../server/api/recording-writers';
import type { ApiCallOptions, ApiClient } from '../model/api-client';
import { sentence } from '../model/sentence';
import type { StateWriterTarget } from '../model/targets';
import { writerText } from '../model/writer-text';
import { withProgress } from '../ui/progress';
import { pick } from '../ui/quick-input';
import { subjectOf } from './source';

const MOST = 1_000;

/**
 * Finds what wrote a part of the state, asks for one of several writes, and goes there: in the debugger, or in the call tree where the
 * source is not known.
 * @throws UserCancelledError; ApiError of the service
 */
export async function goToStateWriter(
  client: ApiClient,
  { source, part, panel, showNode }: StateWriterTarget,
): Promise<void> {
  const { label, type = '', query } = part;
  const title = l10n.t('Finding what wrote {0}…', label);
  const { writers, build, unavailable } = await withProgress(title, (signal, onProgress) =>
    writersOf(client, source, query, { signal, onProgress }),
  );
  if (writers.length === 0) {
    const nothing = l10n.t('No step of the transaction wrote {0}.', label);
    const fees = query.of === 'balance' ? l10n.t('Fees are paid outside of the steps.') : '';
    const reason = unavailable === undefined ? fees : sentence(unavailable);
    void vscode.window.showInformationMessage(`${nothing} ${reason}`.trim());
    return;
  }
  const value = { type, offset: Number(query.offset ?? 0), ...lengthOf(query.length) };
  const items = writers.map((writer) => ({
    label: writerText(writer, value),
    description: writer.isUndone ? l10n.t('rolled back') : '',
    value: writer,
  }));
  const [only, another] = items;
  const chosen =
    only && another === undefined
      ? only
      : await pick({
          title: l10n.t('What Wrote {0}', label),
          placeholder: l10n.t('In order of execution'),
          items: Promise.resolve(items),
        });
  const { step, nodeId, place } = chosen.value;
  if (step === null || place === undefined) {
    showNode(nodeId ?? 0);
    return;
  }
  const target = { ...subjectOf(source), stopAt: { step, build }, panel };
  await vscode.commands.executeCommand('forklens.debugTransaction', target);
}

const lengthOf = (length: string | undefined): { length?: number } =>
  length === undefined ? {} : { length: Number(length) };

/** With the steps of the build that the debugger steps through. */
async function writersOf(
  client: ApiClient,
  source: Source,
  query: StateWriterTarget['part']['query'],
  options: ApiCallOptions,
): Promise<Writers> {
  const wanted = { ...query, build: 'unoptimized' as const, count: String(MOST) };
  const { chain } = source;
  const { transaction } =
    source.kind === 'transaction'
      ? source
      : await client.call('recordSimulation', { params: { chain }, body: source.request }, options);
  const params = { chain, transaction };
  return client.call('getWriters', { params, query: wanted }, options);
}
