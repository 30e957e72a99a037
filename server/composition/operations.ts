import { join } from 'node:path';
import type { Hash } from '../api/primitives';
import type { CaseService } from '../cases/case-service';
import type { ChainRegistry } from '../chains/registry/chain-registry';
import type { SimulatedTransaction } from '../debugger/session/ports';
import {
  createAnalysis,
  type AnalysisServices,
  type AnalysisServicesOptions,
} from './analysis-services';
import { programSignatures } from './case-lookups';
import { createCases } from './case-services';
import type { OwnClients } from './own-clients';

export interface OperationsOptions extends Omit<
  AnalysisServicesOptions,
  'inProgram' | 'cacheFolder' | 'sourceFolder'
> {
  readonly chains: ChainRegistry;
  readonly dataDir: string;
  readonly ownClients: OwnClients;
}

/** The operations on chains, forks and open case files. */
export interface Operations {
  readonly services: AnalysisServices;
  readonly cases: CaseService;
  /** As `RecordingService.simulated`, for other nodes. */
  readonly simulated: (id: Hash) => Promise<SimulatedTransaction | undefined>;
  readonly close: () => Promise<void>;
}

/** Also opens the cases that were open before. */
export async function createOperations(options: OperationsOptions): Promise<Operations> {
  const { dataDir, given, ownClients: clients, chains, log } = options;
  const inProgram = programSignatures();
  const own = createAnalysis({
    ...options,
    inProgram: inProgram.values(),
    cacheFolder: join(dataDir, 'abi-cache'),
    sourceFolder: join(dataDir, 'source-cache'),
  });
  const revisionOf = (user: string): Promise<string> => given.revision(user);
  const parts = { ...options, revisionOf };
  const cases = createCases({ dataDir, chains, clients, parts, own, inProgram, log });
  await cases.restore();
  return {
    services: cases.routed,
    cases: cases.cases,
    simulated: (id) => own.recordings.simulated(id),
    close: async () => {
      await cases.close();
      await own.closeEngines();
    },
  };
}
