// Entry of a bundle of its own, which a window loads when it writes or opens a case.
import '../editor/translations';
import type * as vscode from 'vscode';
import type { Source } from '../../media/inspector/protocol/protocol';
import type { CommandContext } from '../model/command-context';
import type { CaseTrust } from './case-trust';

export interface CaseContext extends Pick<
  CommandContext,
  'client' | 'inspector' | 'comparisons' | 'log'
> {
  trust: CaseTrust;
  /** Shows the inspector in the panel of an editor. */
  show: (panel: vscode.WebviewPanel, source: Source) => void;
}

export { CaseTrust } from './case-trust';
export { askCaseFile, showCaseFile } from './open-case-file';
export { closeCase } from './close-case';
export { saveAsCase } from './save-case';
