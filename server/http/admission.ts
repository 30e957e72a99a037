import { ROUTES, type RouteId } from '../api/routes';
import type { Release } from '../projects/quota-ledger';
import type { Quotas } from '../projects/quotas';
import type { ProjectAccess } from './access';

/** Paths of operations that execute or trace transactions, search blocks, or ask other services: each takes a place among the analyses. */
const ANALYSES =
  /^\/v1\/(explorer\/:chain\/(transaction|simulate|activity$|bisect$|reorder$|address\/:address\/(source|upgrade-check|regress(\/transactions)?)$)|decode$)/;
const isAnalysis = (id: RouteId): boolean => ANALYSES.test(ROUTES[id].paths[0]);

/** Checks each request against the quotas of its user and its project. */
export class Admission {
  constructor(private readonly quotas: Quotas) {}

  /**
   * @returns what ends the operation
   * @throws ApiError of the quota that is used up
   */
  async begin(id: RouteId, userId: string, access: ProjectAccess | undefined): Promise<Release> {
    await this.quotas.request(userId, access?.projectId);
    if (isAnalysis(id)) return this.quotas.analysis(userId, access?.projectId);
    return () => Promise.resolve();
  }
}
