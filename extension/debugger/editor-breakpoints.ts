import * as vscode from 'vscode';
import type { EditorBreakpoint } from '../../server/api/case-content';
import type { Recording } from '../../server/api/recording';
import { ownSource } from '../build-output/find-source';
import type { ApiClient } from '../model/api-client';
import type { DebugTarget, PlaceInRecording } from '../model/debugging';
import { recordedSourcePath, SOURCE_SCHEME } from '../source-documents/source-uri';

type Recorded = Pick<PlaceInRecording, 'chain' | 'transaction'>;

/** The breakpoints of the editor that concern a recording: those of its files, and of functions. */
export async function breakpointsOf(
  client: ApiClient,
  recorded: Recorded,
  breakpoints: readonly vscode.Breakpoint[],
): Promise<EditorBreakpoint[]> {
  const files = new RecordedFiles(client, recorded);
  const found: EditorBreakpoint[] = [];
  for (const breakpoint of breakpoints) {
    const conditions = conditionsOf(breakpoint);
    if (breakpoint instanceof vscode.FunctionBreakpoint) {
      found.push({ function: breakpoint.functionName, ...conditions });
    } else if (breakpoint instanceof vscode.SourceBreakpoint) {
      const { uri, range } = breakpoint.location;
      const source = await files.nameOf(uri);
      if (source !== undefined) found.push({ source, line: range.start.line + 1, ...conditions });
    }
  }
  return found;
}

/** Sets breakpoints in the files of what is debugged, unless they are set. Those of files that it does not have are left out. */
export async function setBreakpoints(
  client: ApiClient,
  subject: DebugTarget & { chain: string },
  breakpoints: readonly EditorBreakpoint[],
): Promise<void> {
  const files = new RecordedFiles(client, await recordedAs(client, subject));
  const known = new Set(vscode.debug.breakpoints.map(keyOf));
  const wanted: vscode.Breakpoint[] = [];
  for (const { isDisabled, condition, hitCondition, logMessage, ...place } of breakpoints) {
    const more = [isDisabled !== true, condition, hitCondition, logMessage] as const;
    if ('function' in place) wanted.push(new vscode.FunctionBreakpoint(place.function, ...more));
    else {
      const uri = await files.uriOf(place.source);
      if (uri === undefined) continue;
      const location = new vscode.Location(uri, new vscode.Position(place.line - 1, 0));
      wanted.push(new vscode.SourceBreakpoint(location, ...more));
    }
  }
  vscode.debug.addBreakpoints(wanted.filter((one) => !known.has(keyOf(one))));
}

async function recordedAs(
  client: ApiClient,
  subject: DebugTarget & { chain: string },
): Promise<Recorded> {
  const { chain } = subject;
  if (!('request' in subject)) return { chain, transaction: subject.transaction };
  const input = { params: { chain }, body: subject.request };
  const { transaction } = await client.call('recordSimulation', input);
  return { chain, transaction };
}

const keyOf = (breakpoint: vscode.Breakpoint): string =>
  breakpoint instanceof vscode.SourceBreakpoint
    ? `${breakpoint.location.uri.toString()} ${breakpoint.location.range.start.line}`
    : breakpoint instanceof vscode.FunctionBreakpoint
      ? breakpoint.functionName
      : breakpoint.id;

const conditionsOf = ({ enabled, condition, hitCondition, logMessage }: vscode.Breakpoint) => ({
  ...(enabled ? {} : { isDisabled: true as const }),
  ...(condition ? { condition } : {}),
  ...(hitCondition ? { hitCondition } : {}),
  ...(logMessage ? { logMessage } : {}),
});

/** Where the editor has the files of a recording. */
class RecordedFiles {
  #recording: Promise<Recording> | undefined;

  constructor(
    private readonly client: ApiClient,
    private readonly recorded: Recorded,
  ) {}

  /** Name as compiled; undefined for a file that is not of the recording. */
  async nameOf(uri: vscode.Uri): Promise<string | undefined> {
    const name = uri.path.split('/').at(-1);
    for (const { file } of await this.#files()) {
      if (file.split(/[\\/]/).at(-1) !== name) continue;
      if ((await this.uriOf(file))?.toString() === uri.toString()) return file;
    }
    return undefined;
  }

  /** The workspace's own file where it has the compiled text, else a document of the recording. */
  async uriOf(file: string): Promise<vscode.Uri | undefined> {
    const found = (await this.#files()).find((one) => one.file === file);
    if (!found) return undefined;
    const { chain, transaction } = this.recorded;
    const params = { chain, transaction, contract: String(found.contract) };
    const { content } = await this.client.call('getRecordedFile', { params, query: { file } });
    const own = await ownSource(file, content);
    if (own) return own;
    const { contracts } = await this.#known();
    const path = recordedSourcePath(this.recorded, contracts, found);
    return vscode.Uri.from({ scheme: SOURCE_SCHEME, path });
  }

  #known(): Promise<Recording> {
    const { chain, transaction } = this.recorded;
    return (this.#recording ??= this.client.call('getRecording', {
      params: { chain, transaction },
    }));
  }

  /** Of the codes that share a file, those that have lines come first, as in the debugger. */
  async #files(): Promise<{ contract: number; file: string }[]> {
    const { contracts } = await this.#known();
    const all = contracts.flatMap(({ files, hasLines }, contract) =>
      files.map((file) => ({ contract, file, hasLines })),
    );
    return [...all.filter((one) => one.hasLines), ...all.filter((one) => !one.hasLines)];
  }
}
