import type { AccessKeys } from '../projects/access-keys';
import { analysisHandlers, type AnalysisServices } from './analysis-handlers';
import { caseHandlers, type CaseFiles } from './case-handlers';
import type { Handlers } from './context';
import { explorerHandlers } from './explorer-handlers';
import { forkHandlers, type ForkServices } from './fork-handlers';
import { givenFactHandlers, type GivenFactServices } from './given-fact-handlers';
import { historyHandlers, type HistoryService } from './history-handlers';
import { keyHandlers } from './key-handlers';
import { lookupHandlers, type LookupServices } from './lookup-handlers';
import { projectHandlers, type ProjectServices } from './project-handlers';
import { recordingHandlers } from './recording-handlers';
import type { BlockExplorerService, DataDecoderService, RecordingService } from './services';

export interface HandlerDependencies
  extends ProjectServices, ForkServices, AnalysisServices, GivenFactServices, LookupServices {
  keys: AccessKeys;
  recordings: RecordingService;
  explorer: BlockExplorerService;
  decoder: DataDecoderService;
  history: HistoryService;
  cases: CaseFiles;
}

/** Handlers of all REST operations, which call the domain's services. */
export const createHandlers = (dependencies: HandlerDependencies): Handlers => ({
  ...projectHandlers(dependencies),
  ...forkHandlers(dependencies),
  ...analysisHandlers(dependencies),
  ...givenFactHandlers(dependencies),
  ...lookupHandlers(dependencies),
  ...keyHandlers(dependencies.keys),
  ...explorerHandlers(dependencies),
  ...recordingHandlers(dependencies.recordings),
  ...historyHandlers(dependencies.history),
  ...caseHandlers(dependencies.cases),
});
