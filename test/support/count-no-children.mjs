/**
 * Node measures the coverage of each child process of a measured one, also of those with an `env` of their own. Only the services that a
 * test asks for are measured (`counted` in `service.ts`): the others run from bundles, and would be slower for nothing.
 */
export const mochaHooks = {
  beforeAll() {
    if (process.env.NODE_V8_COVERAGE === undefined) return;
    process.env.COVERAGE_OF_SERVICES = process.env.NODE_V8_COVERAGE;
    delete process.env.NODE_V8_COVERAGE;
  },
};
