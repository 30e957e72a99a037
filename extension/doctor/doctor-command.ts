import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { doctorReportSchema } from '../../server/api/doctor';
import { runCommandLine } from '../service/command-line';
import type { Commands } from '../model/commands';
import { withProgress } from '../ui/progress';
import type { EndpointStore } from '../endpoints/endpoint-store';
import { readSettings } from '../editor/settings';
import { doctorDocument } from './doctor-document';

const SCHEME = 'forklens-doctor';
const DOCUMENT = vscode.Uri.from({ scheme: SCHEME, path: '/Forklens Doctor.md' });

/** Runs the command line's doctor with the settings of this window, and shows its findings as a document. */
export class Doctor implements vscode.TextDocumentContentProvider {
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changes.event;
  readonly #registration: vscode.Disposable;
  #text = '';

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly endpoints: EndpointStore,
  ) {
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, this);
  }

  provideTextDocumentContent(): string {
    return this.#text;
  }

  commands(): Pick<Commands, 'forklens.runDoctor'> {
    return {
      'forklens.runDoctor': async () => {
        const { dataDirectory, configFile } = readSettings();
        const args = [
          'doctor',
          '--json',
          '--data-dir',
          dataDirectory,
          '--endpoints-from-stdin',
          ...(configFile === undefined ? [] : ['--config', configFile]),
        ];
        const endpoints = JSON.stringify(await this.endpoints.list());
        const printed = await withProgress(
          l10n.t('Checking engine, disk, keys and endpoints…'),
          () => runCommandLine(this.extensionUri, args, { input: endpoints }),
        );
        this.#text = doctorDocument(doctorReportSchema.parse(JSON.parse(printed)));
        this.#changes.fire(DOCUMENT);
        await vscode.commands.executeCommand('markdown.showPreview', DOCUMENT);
      },
    };
  }

  dispose(): void {
    this.#changes.dispose();
    this.#registration.dispose();
  }
}
