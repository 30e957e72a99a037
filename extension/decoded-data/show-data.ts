import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { decodeErrorResult, decodeFunctionData } from 'viem';
import type { Decoding } from '../../server/api/decode';
import { isGuess } from '../../server/api/decoding';
import { shortHex } from '../../server/client/format';
import type { Address, Hex } from '../../server/api/primitives';
import { trailingText } from '../../server/api/trailing-text';
import { visibleText } from '../../server/api/visible-text';
import { parseSignature } from '../../server/client/abi-signature';
import type { ApiClient } from '../model/api-client';
import { withProgress } from '../ui/progress';
import { enterText, pick } from '../ui/quick-input';
import { documentText, encodableOf, type EncodableDecoding } from './data-document';
import { encode, itemOf } from './encode';

const TITLE = l10n.t('Decode Data');
const KINDS: Record<Decoding['kind'], string> = {
  call: l10n.t('call data'),
  error: l10n.t('revert data'),
  event: l10n.t('event'),
};

/** A decoding whose document encodes to the data again. */
interface Fit {
  decoding: Decoding;
  encodable: EncodableDecoding;
}

/** A contract, whose own interface counts first. */
interface CalledContract {
  chain: string;
  address: Address;
}

/** Opens a document of decoded call data or revert data. @throws UserCancelledError, ApiError */
export async function showData(client: ApiClient, data: Hex, at?: CalledContract): Promise<void> {
  const fits = await decodingsThatFit(client, data, at);
  const [first] = fits;
  if (first !== undefined) await openDocument(textOf(first, fits));
  else await decodeBySignature(data);
}

/** Lets the user choose another signature for data. @returns the new text of its document */
export async function chooseDecoding(client: ApiClient, data: Hex): Promise<string> {
  const fits = await decodingsThatFit(client, data);
  const { value } = await pick<Fit | undefined>({
    title: TITLE,
    placeholder: l10n.t('Signature of {0}', data.slice(0, 10)),
    items: Promise.resolve([
      ...fits.map((fit) => ({
        label: fit.decoding.signature,
        description: `${KINDS[fit.decoding.kind]} · ${fit.decoding.source}`,
        value: fit,
      })),
      { label: l10n.t('$(edit) Enter a signature…'), alwaysShow: true, value: undefined },
    ]),
  });
  return value === undefined ? await enteredText(data) : textOf(value, fits);
}

async function decodingsThatFit(client: ApiClient, data: Hex, at?: CalledContract): Promise<Fit[]> {
  const { decodings } = await withProgress(l10n.t('Decoding {0}…', data.slice(0, 10)), (signal) =>
    client.call('decodeData', { body: { data, ...(at !== undefined && { at }) } }, { signal }),
  );
  return decodings.flatMap((decoding) => {
    const encodable = encodableOf(decoding, data);
    return encodable === undefined ? [] : [{ decoding, encodable }];
  });
}

function textOf({ decoding, encodable }: Fit, fits: readonly Fit[]): string {
  const others = fits
    .filter((fit) => fit.decoding !== decoding)
    .map((fit) => fit.decoding.signature);
  const notes = [
    isGuess(decoding.source)
      ? l10n.t(
          '{0} of {1}: a guess by the selector, source: {2}',
          KINDS[decoding.kind],
          decoding.signature,
          decoding.source,
        )
      : l10n.t(
          '{0} of {1}, source: {2}',
          KINDS[decoding.kind],
          decoding.signature,
          decoding.source,
        ),
    ...(decoding.text === '' ? [] : [decoding.text]),
    ...(decoding.trailing ?? []).map((part) =>
      l10n.t('After the arguments: {0}', visibleText(trailingText(part, String, shortHex))),
    ),
    ...(others.length === 0 ? [] : [l10n.t('Other signatures that fit: {0}', others.join(', '))]),
  ];
  const nested = (decoding.params ?? []).map((param) => param.nested ?? []);
  return documentText(encodable, notes, nested);
}

/** No signature is known: the user may know it. */
async function decodeBySignature(data: Hex): Promise<void> {
  await openDocument(await enteredText(data));
}

async function enteredText(data: Hex): Promise<string> {
  const signature = await enterText({
    title: TITLE,
    value: '',
    prompt: l10n.t('No known signature of {0} fits. Enter one that does', data.slice(0, 10)),
    placeholder: 'transfer(address to, uint256 amount)',
    validate: (text) =>
      decodedBy(text, data) === undefined
        ? l10n.t('Enter a signature that encodes to the data, such as transfer(address,uint256).')
        : undefined,
  });
  const read = decodedBy(signature, data) ?? { signature, values: [] };
  return documentText(read, [l10n.t('decoded by a signature that you entered')]);
}

/** @returns undefined if the signature does not encode to the data */
function decodedBy(signature: string, data: Hex): EncodableDecoding | undefined {
  const item = parseSignature(signature, 'function');
  if (item === undefined || item.type === 'event') return undefined;
  try {
    // Without parameters there are no arguments, whatever the library's types say.
    const { args }: { args?: unknown } =
      item.type === 'error'
        ? decodeErrorResult({ abi: [item], data })
        : decodeFunctionData({ abi: [item], data });
    const values = JSON.parse(
      JSON.stringify(args ?? [], (_, value: unknown) =>
        typeof value === 'bigint' || typeof value === 'number' || typeof value === 'boolean'
          ? String(value)
          : value,
      ),
    ) as unknown[];
    const encoded = encode(item, values);
    if (!data.startsWith(encoded)) return undefined;
    const trailing = `0x${data.slice(encoded.length)}` as const;
    return { signature, values, ...(trailing !== '0x' && { trailing }) };
  } catch {
    return undefined;
  }
}

/** Opens a document with values to fill in. @throws ApiError `invalidField` */
export async function openDraft(signature: string, values: readonly unknown[]): Promise<void> {
  const { type } = itemOf(signature);
  const kind = KINDS[type === 'error' ? 'error' : 'call'];
  await openDocument(documentText({ signature, values }, [l10n.t('{0}, to fill in', kind)]));
}

async function openDocument(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'jsonc', content });
  await vscode.window.showTextDocument(document, { preview: false });
}
